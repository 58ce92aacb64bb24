import type { AuditedChange } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { html } from "../../platform/http/page.ts";
import type { Change } from "../../platform/log/change.ts";
import { enqueueMails } from "../../platform/mail/enqueue.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import type { Services } from "../../services.ts";
import type { MailedList } from "./remaining-ways.ts";
import { listFormerAddresses } from "./store.ts";

/**
 * Mails somebody what happened to the ways in which they sign in. They can't switch this off. `before`: the
 * address that the change takes away. `lists`: what goes on.
 */
export async function mailChange(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  { what, before, lists }: { what: string; before?: string; lists?: readonly MailedList[] },
): Promise<void> {
  const name = headerText(tx.state.get(organization).name);
  await send(
    tx,
    services,
    { state: tx.state, user },
    {
      subject: `How you sign in to ${name} has changed`,
      intro: `How you sign in to your account ${user.email} in ${name} has changed:`,
      what,
      before,
      ...(lists && { lists }),
    },
  );
}

/** Mails somebody that a change was asked for, which needs more to happen. They can't switch it off. */
export async function mailRequest(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  what: string,
): Promise<void> {
  const name = headerText(tx.state.get(organization).name);
  await send(
    tx,
    services,
    { state: tx.state, user },
    {
      subject: `A change of how you sign in to ${name} was asked for`,
      intro: `A change of how you sign in to your account ${user.email} in ${name} was asked for:`,
      what,
    },
  );
}

/** Mails somebody what was done in their name that outlives a session. They can't switch this off either. */
export async function mailActs(
  tx: AuditedChange,
  services: Pick<Services, "keyring" | "mailer">,
  { state, user }: Pick<Viewer, "state" | "user">,
  what: string,
): Promise<void> {
  const name = headerText(state.get(organization).name);
  await send(
    tx,
    services,
    { state, user },
    {
      subject: `Your account in ${name} was used for a change`,
      intro: `Somebody, most likely you, has used your account ${user.email} in ${name} for this:`,
      what,
    },
  );
}

interface Notice {
  subject: string;
  intro: string;
  what: string;
  before?: string | undefined;
  lists?: readonly MailedList[];
}

async function send(
  tx: AuditedChange,
  services: Pick<Services, "keyring" | "mailer">,
  { state, user }: Pick<Viewer, "state" | "user">,
  notice: Notice,
): Promise<void> {
  if (!services.mailer.canSend) return;
  const content = contentOf(notice);
  const directory = state.get(users);
  const listed = await listFormerAddresses(tx, tx.state.organizationId, user.id);
  // A former address may be somebody else's by now, who must not hear of this account.
  const former = listed.filter((address) => (directory.findByEmail(address)?.id ?? user.id) === user.id);
  const kind = "change of the sign-in";
  const present = notice.before === undefined ? [user.email] : [user.email, notice.before];
  const mails = [...new Set([...present, ...former])].map((to) => ({ kind, to, content }) as const);
  await enqueueMails(tx, services, mails);
}

function contentOf({ subject, intro, what, lists = [] }: Notice): MailContent {
  const end =
    "If it was not you, set another password at once, which ends all other sessions and replaces the API key if you say so, and tell an administrator of the organization.";
  const listed = lists.map(({ sentence, items }) =>
    [sentence, ...items.map((item) => `- ${item}`)].join("\n"),
  );
  return {
    subject,
    text: `${[intro, what, ...listed, end].join("\n\n")}\n`,
    html: html`<p>${intro}</p>
<p><strong>${what}</strong></p>
${lists.map(listOf)}<p>${end}</p>
`,
  };
}

function listOf({ sentence, items }: MailedList) {
  return html`<p>${sentence}</p>
${items.length > 0 && html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>\n`}`;
}
