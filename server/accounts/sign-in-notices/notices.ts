/**
 * Mails people about sign-ins from devices that they did not use before. A device is a kind of program on a
 * kind of system in a network. Only keyed hashes of devices are kept.
 */
import { userSettings } from "../../../api/people/user-settings.ts";
import { organization } from "../../organization/organization.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import { html } from "../../platform/http/page.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import type { Services } from "../../services.ts";
import { unsubscribeUrl } from "../mail-preferences/links.ts";
import { ending, subjectFor, timeFor } from "../mail-preferences/person-mail.ts";
import type { SignInOrigin } from "../sign-in/sign-in.ts";
import { mustHearOfSignIns } from "./must-hear.ts";
import { deleteOldDevices, upsertDevice } from "./store.ts";

/** How many of a person's are kept. Somebody who signs in from more places gets mail about old ones again. */
const MAX_DEVICES = 50;

/**
 * To be called after each sign-in that succeeded. Mails the person if the device is new, but not about the
 * first one of an account. The note and the mail are one transaction.
 */
export async function noteSignIn(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  state: OrganizationState,
  user: User,
  { address, device }: SignInOrigin,
): Promise<void> {
  const { keyring, mailer } = services;
  const { database, organizationId } = state;
  const deviceHash = keyring.hash(`device ${device} in ${networkOf(address)} of user ${user.id}`);
  const site = await ownSiteOf(services, state);
  await database.transaction(async ({ query }) => {
    const tx = { query, state };
    const { isNew, earlier } = await upsertDevice(tx, organizationId, user.id, deviceHash);
    if (!isNew) return;
    if (earlier >= MAX_DEVICES) await deleteOldDevices(tx, organizationId, user.id, MAX_DEVICES);
    const wantsMail = mustHearOfSignIns(user) || userSettingOf(user, userSettings.enableLoginEmails);
    if (earlier === 0 || !mailer.canSend || !wantsMail || user.botType !== null) return;
    const stopUrl = mustHearOfSignIns(user)
      ? undefined
      : unsubscribeUrl(keyring, state, user, "sign-in-notices", site);
    const content = noticeMail(state, user, { device, address, stopUrl });
    const subject = await subjectFor(state, tx, user, content.subject);
    const headers = stopUrl === undefined ? {} : { unsubscribeUrl: stopUrl };
    await enqueueMail(tx, services, {
      kind: "sign-in notice",
      to: user.email,
      content: { ...content, subject },
      headers,
    });
  });
}

function noticeMail(
  state: OrganizationState,
  user: User,
  { device, address, stopUrl }: { device: string; address: string; stopUrl: string | undefined },
): MailContent {
  const name = headerText(state.get(organization).name);
  const what = `Somebody has signed in to your account ${user.email} in ${name} from a device that is new:`;
  const facts = [`Time: ${timeFor(user, new Date())}`, `Device: ${device}`, `Address: ${address}`];
  const ifOwn = "If that was you, there is nothing to do.";
  const otherwise =
    "If it was not, change your password, which ends all other sessions, and get a new API key in your settings. Tell an administrator of the organization too.";
  const end = ending(["Replies to this mail are not read."], stopUrl);
  return {
    subject: "Sign-in from a new device",
    text: `${what}\n\n${facts.join("\n")}\n\n${ifOwn}\n${otherwise}\n\n${end.text}`,
    html: html`<p>${what}</p>
<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p>${ifOwn} ${otherwise}</p>
${end.html}`,
  };
}
