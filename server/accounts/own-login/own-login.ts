import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { giveApiKey } from "../../people/actions.ts";
import { replacePassword } from "../../people/credentials.ts";
import { parseFreeEmail, parseOwnEmail } from "../../people/email/free-email.ts";
import type { PrepareOwnLogin } from "../../people/own-login.ts";
import { changeAccount } from "../../people/update/update-user.ts";
import { type User, users } from "../../people/user.ts";
import { changeState, type ViewerChange } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { hashNewPassword, turnOfAccount } from "../../platform/crypto/passwords.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { mayMailTo, secondsToNextMail } from "../mailed-codes/asked-mails.ts";
import { CodeEnded, createCode, endCodesOfLogin, lookUpCode } from "../mailed-codes/codes.ts";
import { deleteCode, deleteCodesOf } from "../mailed-codes/store.ts";
import { noteNewAddress } from "../proof/new-address.ts";
import { checkOwnPassword } from "../proof/own-password.ts";
import { listRemainingWays } from "../proof/remaining-ways.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { renewSessions } from "../sessions/end.ts";
import { countMailOf } from "../sign-in/mail-limits.ts";
import { silenceSignIns } from "../sign-in-notices/silence.ts";
import { emailMail, takenEmailMail } from "./mails.ts";

/**
 * What `PATCH /settings` does with an address and a password. Whatever takes long or asks others is done
 * here, before the change; the function that it returns is called in the change.
 */
export function ownLogin(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
): PrepareOwnLogin {
  return async ({ viewer, address }, login) => {
    const { email, oldPassword = "", newPassword, keepsApiKey = true, wantsLoginMails } = login;
    if (email !== undefined || newPassword !== undefined) checkPerson(viewer);
    const passwords =
      newPassword === undefined
        ? undefined
        : await preparePassword(services, viewer, { oldPassword, newPassword, address });
    const newEmail = email?.trim();
    const isNewEmail = newEmail !== undefined && newEmail !== viewer.user.email;
    const site = isNewEmail ? await ownSiteOf(services, viewer.state) : "";
    if (isNewEmail) {
      checkNewEmail(services, viewer.state, viewer.user, newEmail);
      await countMailOf(viewer.state, viewer.user.id);
    }
    return async (tx) => {
      if (passwords) await setPassword(tx, services, { ...passwords, keepsApiKey });
      const isRefused = wantsLoginMails === false && !(await silenceSignIns(tx, services, tx.viewer.user));
      if (isRefused) throw new ApiError(errors.loginMailsNeeded);
      if (isNewEmail) await mailNewEmail(tx, services, newEmail, site);
    };
  };
}

interface Passwords {
  from: string;
  to: string;
}

/** Throws `wrongPassword`, `tooManyWrongPasswords` after too many, and what is wrong with the new one. */
async function preparePassword(
  { keyring }: Pick<Services, "keyring">,
  viewer: Viewer,
  { oldPassword, newPassword, address }: { oldPassword: string; newPassword: string; address: string },
): Promise<Passwords> {
  const { state, user } = viewer;
  const from = await checkOwnPassword(keyring, viewer, oldPassword, address);
  const turn = turnOfAccount(state.organizationId, user.id);
  return { from, to: await hashNewPassword(newPassword, [user.email, user.fullName], turn) };
}

/** All other sessions of the person end, and so do links that were mailed to them. */
async function setPassword(
  tx: ViewerChange,
  services: Pick<Services, "config" | "keyring" | "mailer">,
  { from, to, keepsApiKey }: Passwords & { keepsApiKey: boolean },
): Promise<void> {
  const { keyring } = services;
  const { user } = tx.viewer;
  const { id } = user;
  if (!(await replacePassword(tx, id, { from, to }))) throw new ApiError(errors.wrongPassword);
  await renewSessions(tx, keyring, id);
  await endCodesOfLogin(tx, id);
  if (!keepsApiKey) await giveApiKey(tx, keyring, id);
  const ofKey = keepsApiKey ? "The API key stays." : "Programs need your new API key.";
  const what = `Your password was changed. All other sessions have ended. ${ofKey}`;
  // People have it replaced because they fear that somebody else has it.
  const lists = keepsApiKey ? [] : await listRemainingWays(tx, services, user);
  await noteSecurityChange(tx, services, user, { action: "password_changed", what, lists });
}

/**
 * An address that has an account gets a mail that says so, and the same is done for it otherwise: neither the
 * answer nor its time may tell who has one. The code that is made for it goes to nobody.
 */
async function mailNewEmail(
  tx: ViewerChange,
  services: Pick<Services, "keyring" | "mailer">,
  text: string,
  site: string,
): Promise<void> {
  const { state, viewer } = tx;
  const email = checkNewEmail(services, state, viewer.user, text);
  await checkMayMail(tx, services, email);
  const what = `Another email address was asked for: ${email}. Nothing changes until the link that was mailed there is opened.`;
  await noteSecurityChange(tx, services, viewer.user, {
    action: "email_change_requested",
    what,
    isRequest: true,
  });
  // A later address takes the place of an earlier one.
  await deleteCodesOf(tx, state.organizationId, viewer.user.id, ["email"]);
  const code = { purpose: "email", userId: viewer.user.id, email, passwordHash: null } as const;
  const link = await createCode(tx, services.keyring, state, code, site);
  const { name } = state.get(organization);
  const holder = state.get(users).findByEmail(email);
  const isFree = holder === undefined || holder.id === viewer.user.id;
  await enqueueMail(tx, services, {
    kind: isFree ? "confirmation of an address" : "account notice",
    to: isFree ? email : holder.email,
    content: isFree ? emailMail(name, link) : takenEmailMail(name, site),
  });
}

/** Throws `rateLimitHit` if this person has just had a mail sent to this address. */
async function checkMayMail(
  tx: ViewerChange,
  services: Pick<Services, "keyring">,
  email: string,
): Promise<void> {
  const kind = `address of ${tx.viewer.user.id}` as const;
  if (await mayMailTo(tx, services, kind, email)) return;
  throw new ApiError(errors.rateLimitHit, { retryAfter: await secondsToNextMail(tx, services, kind, email) });
}

/** Throws what is wrong with an address, which never depends on who has an account. */
function checkNewEmail(
  { mailer }: Pick<Services, "mailer">,
  state: OrganizationState,
  user: User,
  text: string,
): string {
  checkMayChange(state, user);
  const email = parseOwnEmail(state, text);
  checkEmailAllowed(state, email);
  if (!mailer.canSend) throw new ApiError(errors.mailNeededForEmail);
  return email;
}

function checkMayChange(state: OrganizationState, user: User): void {
  const isDisabled = settingOf(state, organizationSettings.emailChangesDisabled);
  if (isDisabled && user.role > roles.administrator) throw new ApiError(errors.emailChangesDisabled);
}

/**
 * Gives an account the address that its person has confirmed. Everything is checked again. Both addresses
 * get a mail. Throws `CodeEnded`, and what is wrong with the address by now.
 */
export async function confirmEmail(
  services: Pick<Services, "keyring" | "mailer">,
  state: OrganizationState,
  text: string,
  from: { address: string; client: string },
): Promise<void> {
  const code = await lookUpCode(services, state, text);
  const user = code?.userId == null ? undefined : state.get(users).byId.get(code.userId);
  if (!code || !user) throw new CodeEnded();
  await changeState({ state, user, ...from }, async (tx) => {
    const taken = await deleteCode(tx, state.organizationId, code.tokenHash, "email");
    if (!taken) throw new CodeEnded();
    const before = tx.viewer.user;
    checkMayChange(state, before);
    const email = parseFreeEmail(state, taken.email, before);
    checkEmailAllowed(state, email);
    const after = await changeAccount(tx, before, { ...before, email });
    await noteNewAddress(services)(tx, before, after);
  });
}
