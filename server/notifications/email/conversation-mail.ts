/** The mail about one conversation: messages in a topic, or direct messages with the same people. */
import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import { ending, timeFor } from "../../accounts/mail-preferences/person-mail.ts";
import { channels } from "../../channels/channel.ts";
import type { FetchedRow } from "../../messages/model/message.ts";
import { organization } from "../../organization/organization.ts";
import { canAccessUser } from "../../people/access/user-access.ts";
import { type User, users } from "../../people/user.ts";
import { type Html, html } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import { mailHtml, textOfMailHtml } from "./mail-html.ts";
import type { MailReason } from "./reason.ts";

const MAX_NAMED = 4;

export interface ConversationMail {
  state: OrganizationState;
  user: User;
  site: string;
  stopUrl: string;
  reason: MailReason;
  /** Some that came before, for what the first one is about. Oldest first. */
  earlier: readonly FetchedRow[];
  /** Oldest first. */
  missed: readonly FetchedRow[];
  /** How many more there are. */
  moreCount: number;
}

export function conversationMail({ missed, moreCount, earlier, ...mail }: ConversationMail): MailContent {
  const { state, user, site, stopUrl, reason } = mail;
  const first = missed[0] as FetchedRow;
  const title = conversationTitle(state, user, first);
  const link = `${site}/#narrow/id/${first.id}`;
  const more = moreCount === 0 ? undefined : `… and ${moreCount} more.`;
  const end = ending(
    [
      `${becauseOf(reason)} in ${headerText(state.get(organization).name)}.`,
      "Replies to this mail are not read.",
    ],
    stopUrl,
  );
  const before = earlier.map((row) => messagePart(mail, row));
  const parts = missed.map((row) => messagePart(mail, row));
  const earlierTitle = "Before that:";
  return {
    subject: title,
    text: [
      ...(before.length > 0 ? [earlierTitle, ...before.map(({ text }) => text), "New:"] : []),
      ...parts.map(({ text }) => text),
      ...(more === undefined ? [] : [more]),
      `Open the conversation: ${link}`,
      end.text,
    ].join("\n\n"),
    html: html`<h3>${title}</h3>
${before.length > 0 && html`<p>${earlierTitle}</p>\n${before.map((part) => part.html)}<p>New:</p>\n`}${parts.map(
  (part) => part.html,
)}${more !== undefined && html`<p>${more}</p>\n`}<p><a href="${link}">Open the conversation</a></p>
${end.html}`,
  };
}

/** For somebody whose mails hold no messages. It says nothing of who wrote, where, or what. */
export function hiddenMail({
  state,
  site,
  stopUrl,
  hiddenBy,
}: Pick<ConversationMail, "state" | "site" | "stopUrl"> & {
  hiddenBy: "organization" | "person";
}): MailContent {
  const what = `You have new messages in ${headerText(state.get(organization).name)}.`;
  const why =
    hiddenBy === "organization"
      ? "They are not in this mail, because the organization does not allow it."
      : "They are not in this mail, because you chose so in your settings.";
  const end = ending(["Replies to this mail are not read."], stopUrl);
  return {
    subject: "New messages",
    text: `${what}\n${why}\n\nOpen them: ${site}\n\n${end.text}`,
    html: html`<p>${what} ${why}</p>
<p><a href="${site}">Open them</a></p>
${end.html}`,
  };
}

function messagePart(
  { state, user, site }: Pick<ConversationMail, "state" | "user" | "site">,
  row: FetchedRow,
): { text: string; html: Html } {
  const head = `${nameOf(state, user, row.senderId)}, ${timeFor(user, row.sentAt)}:`;
  const body = mailHtml(row.renderedContent, site);
  // Only the rendered form of a message says which part of it is hidden.
  const hasHidden = row.renderedContent.includes("spoiler-content");
  const written = hasHidden ? textOfMailHtml(body) : row.content;
  const lines = written.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => `  ${line}`.trimEnd());
  return {
    text: `${head}\n${lines.join("\n")}`,
    html: html`<p><b>${head}</b></p>
<blockquote>${body}</blockquote>
`,
  };
}

function conversationTitle(state: OrganizationState, user: User, row: FetchedRow): string {
  if (row.userIds === null) {
    const channel = [...state.get(channels).all()].find(({ id }) => id === row.recipientId);
    return headerText(`#${channel?.name ?? ""} > ${topicDisplayName(row.topic ?? "", false)}`);
  }
  const others = row.userIds.filter((id) => id !== user.id);
  // What the service says to one person is a conversation with itself.
  const names = (others.length === 0 ? [row.senderId] : others).map((id) => nameOf(state, user, id));
  const shown = names.slice(0, MAX_NAMED).join(", ");
  const rest = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return headerText(`${names.length > 1 ? "Group messages" : "Direct messages"} with ${shown}${rest}`);
}

/** A limited guest does not learn names of people whom they don't know. */
export function nameOf(state: OrganizationState, reader: User, id: number): string {
  const person = state.get(users).find(id);
  if (!person || !canAccessUser(state, reader, person)) return "Unknown user";
  return headerText(person.fullName);
}

function becauseOf(reason: MailReason): string {
  const texts: Record<MailReason, string> = {
    direct: "You get this mail because somebody wrote to you",
    mention: "You get this mail because you were mentioned",
    "mention of everyone": "You get this mail because everyone was mentioned",
    "followed topic": "You get this mail because you follow the topic",
    channel: "You get this mail because you get messages of the channel by mail",
  };
  return texts[reason];
}
