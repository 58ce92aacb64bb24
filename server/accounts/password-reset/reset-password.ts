import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import { organization } from "../../organization/organization.ts";
import { giveApiKey } from "../../people/actions.ts";
import { readPasswordHash, replacePassword } from "../../people/credentials.ts";
import { parseEmail } from "../../people/names.ts";
import { users } from "../../people/user.ts";
import { hashNewPassword, turnOfAccount } from "../../platform/crypto/passwords.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { runContentChange, runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { mayMailTo } from "../mailed-codes/asked-mails.ts";
import { CodeEnded, createCode, endCodesOfLogin, isStillWanted, lookUpCode } from "../mailed-codes/codes.ts";
import { deleteCode } from "../mailed-codes/store.ts";
import { listRemainingWays } from "../proof/remaining-ways.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { endIdentitiesByPassword } from "../providers/identities.ts";
import { renewSessions } from "../sessions/end.ts";
import { deleteKnownNetworks } from "../sign-in/store.ts";
import { passwordMail } from "./mails.ts";

/**
 * Has a link mailed to an address, if it has an account. The answer must not depend on that, nor its time. So
 * a job finds it out, and here the same is done for all.
 */
export async function requestReset(state: OrganizationState, text: string, site: string): Promise<void> {
  const { database, organizationId } = state;
  const asked = { email: parseEmail(text), site, askedAt: Date.now() };
  await enqueue(database, mailPasswordReset, { organizationId, ...asked });
}

export const mailPasswordReset = defineJob({
  name: "mail_password_reset",
  payload: Type.Object({
    organizationId: Type.Integer(),
    email: Type.String(),
    site: Type.String(),
    askedAt: Type.Optional(Type.Number()),
  }),
  async run(
    services: Pick<Services, "keyring" | "organizations">,
    { organizationId, email, site, askedAt },
    run,
  ) {
    if (!isStillWanted("password", askedAt, run)) return;
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await state.catchUp();
    await runContentChange(state, async (tx) => {
      const user = state.get(users).findManaged(email);
      if (!user?.isActive || user.botType !== null || !state.get(organization).isActive) return;
      const asked = { email: user.email, purpose: "password" } as const;
      if (!(await mayMailTo(tx, services, "password", user.email))) return;
      const passwordHash = await readPasswordHash(tx, user.id);
      const code = { ...asked, userId: user.id, passwordHash };
      const link = await createCode(tx, services.keyring, state, code, site);
      const content = passwordMail(state.get(organization).name, link);
      await enqueueMail(tx, services, { kind: "password reset", to: user.email, content });
    });
  },
});

/**
 * Sets the password of the person who got the link, by mail or from the operator (`operator-link.ts`). It
 * works only while they have the password of then. All
 * their sessions end, and so do identities that were connected by a password alone. The API key is replaced.
 * A mail lists what goes on. Throws `CodeEnded`, and what is wrong with the password.
 */
export async function resetPassword(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  text: string,
  password: string,
): Promise<void> {
  const { keyring } = services;
  const code = await lookUpCode({ keyring }, state, text);
  const person = code?.userId == null ? undefined : state.get(users).byId.get(code.userId);
  if (code?.purpose !== "password" || !person) throw new CodeEnded();
  const turn = turnOfAccount(state.organizationId, person.id);
  const passwordHash = await hashNewPassword(password, [person.email, person.fullName], turn);
  await runStateChange(state, async (tx) => {
    const taken = await deleteCode(tx, state.organizationId, code.tokenHash, "password");
    const user = state.get(users).byId.get(person.id);
    if (!taken || !user?.isActive || !state.get(organization).isActive) throw new CodeEnded();
    const { isByOperator } = taken;
    const replaced = { from: taken.passwordHash, to: passwordHash, isByMail: !isByOperator };
    if (!(await replacePassword(tx, user.id, replaced))) throw new CodeEnded();
    await renewSessions(tx, keyring, user.id);
    await endIdentitiesByPassword(tx, services, user);
    await endCodesOfLogin(tx, user.id);
    // The sign-ins from there may have been somebody else's.
    await deleteKnownNetworks(tx, state.organizationId, user.id);
    // Somebody who was in may have fetched it.
    await giveApiKey(tx, keyring, user.id);
    const source = isByOperator ? "from the people who run the server" : "in a mail";
    const what = `Another password was set by a link ${source}. All sessions have ended, and programs need your new API key.`;
    const lists = await listRemainingWays(tx, services, user);
    const action = isByOperator ? "password_set_by_operator_link" : "password_set_by_mail";
    await noteSecurityChange(tx, services, user, { action, what, lists });
  });
}
