import { Type } from "typebox";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { joinDefaultChannels } from "../../channels/defaults/join-default-channels.ts";
import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { addPerson } from "../../people/create-person.ts";
import { parseHiddenEmail } from "../../people/email/hidden-email.ts";
import { parseEmail } from "../../people/names.ts";
import { users } from "../../people/user.ts";
import { hashNewPassword } from "../../platform/crypto/passwords.ts";
import { turnOfNetwork } from "../../platform/http/password-turn.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { runContentChange, runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { mayMailTo } from "../mailed-codes/asked-mails.ts";
import { CodeEnded, createCode, isStillWanted, lookUpCode } from "../mailed-codes/codes.ts";
import { deleteCode, deleteSignUpsOf } from "../mailed-codes/store.ts";
import type { SignedIn } from "../sessions/start.ts";
import { knownMail, signUpMail } from "./mails.ts";

/**
 * Whether people can join without an invitation. Without mail nobody proves that an address is theirs, so
 * then nobody can.
 */
export function isOpen({ mailer }: Pick<Services, "mailer">, state: OrganizationState): boolean {
  const { isActive } = state.get(organization);
  return isActive && mailer.canSend && !settingOf(state, organizationSettings.inviteRequired);
}

/**
 * Has a link mailed by which one joins with this address, or a mail that it has an account. Throws what is
 * wrong with the address, which never depends on who has an account.
 */
export async function requestSignUp(state: OrganizationState, text: string, site: string): Promise<void> {
  const email = parseEmail(text);
  if (parseHiddenEmail(state, email) !== undefined) throw new ApiError(errors.invalidEmail);
  checkEmailAllowed(state, email);
  const asked = { organizationId: state.organizationId, email, site, askedAt: Date.now() };
  await enqueue(state.database, mailSignUp, asked);
}

export const mailSignUp = defineJob({
  name: "mail_sign_up",
  payload: Type.Object({
    organizationId: Type.Integer(),
    email: Type.String(),
    site: Type.String(),
    askedAt: Type.Optional(Type.Number()),
  }),
  async run(
    services: Pick<Services, "keyring" | "mailer" | "organizations">,
    { organizationId, email, site, askedAt },
    run,
  ) {
    if (!isStillWanted("sign-up", askedAt, run)) return;
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await state.catchUp();
    await runContentChange(state, async (tx) => {
      if (!isOpen(services, state)) return;
      const { name } = state.get(organization);
      if (!(await mayMailTo(tx, services, "sign-up", email))) return;
      const known = state.get(users).findByEmail(email);
      if (known) {
        const content = knownMail(name, site);
        return enqueueMail(tx, services, { kind: "account notice", to: known.email, content });
      }
      const asked = { email, purpose: "sign-up" } as const;
      const code = { ...asked, userId: null, passwordHash: null };
      const link = await createCode(tx, services.keyring, state, code, site);
      await enqueueMail(tx, services, { kind: "sign-up", to: email, content: signUpMail(name, link) });
    });
  },
});

/**
 * Makes the account of a person who got the link. Everything is checked again. Throws `CodeEnded`, and what
 * is wrong with the name, the password or the address.
 */
export async function signUp(
  services: Pick<Services, "keyring" | "mailer">,
  state: OrganizationState,
  text: string,
  { fullName, password, address }: { fullName: string; password: string; address: string },
): Promise<SignedIn> {
  const code = await lookUpCode(services, state, text);
  if (code?.purpose !== "sign-up") throw new CodeEnded();
  const passwordHash = await hashNewPassword(password, [code.email, fullName], turnOfNetwork(address));
  const user = await runStateChange(state, async (tx) => {
    const taken = await deleteCode(tx, state.organizationId, code.tokenHash, "sign-up");
    if (!taken || !isOpen(services, state)) throw new CodeEnded();
    const { email } = taken;
    checkEmailAllowed(state, email);
    await deleteSignUpsOf(tx, state.organizationId, email);
    const account = { email, fullName, role: roles.member, passwordHash };
    return addPerson(tx, services.keyring, account, joinDefaultChannels);
  });
  return { user, passwordHash };
}
