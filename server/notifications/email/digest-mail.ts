/** The weekly digest as a mail. It has no text of messages, only where they are, how many, and by whom. */
import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import { topicPath } from "../../../markdown/inline/channel-links.ts";
import { ending } from "../../accounts/mail-preferences/person-mail.ts";
import { channels } from "../../channels/channel.ts";
import type { UnreadTopic } from "../../messages/for-mail.ts";
import { organization } from "../../organization/organization.ts";
import type { User } from "../../people/user.ts";
import { html } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import { nameOf } from "./conversation-mail.ts";

const MAX_NAMED = 5;

export interface Digest {
  state: OrganizationState;
  user: User;
  site: string;
  stopUrl: string;
  /** At least one, the busiest first. */
  topics: readonly UnreadTopic[];
  newPeople: readonly User[];
  /** Set if the mail may name no conversation and nobody. */
  hiddenBy: "organization" | "person" | undefined;
}

export function digestMail(digest: Digest): MailContent {
  const { state, site, stopUrl, topics, hiddenBy } = digest;
  const { topicCount, messageCount } = topics[0] as UnreadTopic;
  const name = headerText(state.get(organization).name);
  const topicsText = counted(topicCount, "topic");
  const summary = `You have ${counted(messageCount, "unread message")} from the last days in ${topicsText} in ${name}.`;
  const parts = hiddenBy ? [] : topics.map((topic) => topicPart(digest, topic));
  const others = topicCount - topics.length;
  const more =
    hiddenBy || others === 0 ? undefined : `… and in ${counted(others, "more topic", "more topics")}.`;
  const joined = newPeopleLine(digest);
  const end = ending(
    ["You get this mail once a week, after some days away.", "Replies to this mail are not read."],
    stopUrl,
  );
  return {
    subject: "What you missed this week",
    text: [
      summary,
      ...parts.map(({ title, about, link }) => `${title}\n  ${about}\n  ${link}`),
      ...(more === undefined ? [] : [more]),
      ...(joined === undefined ? [] : [joined]),
      `Open ${name}: ${site}`,
      end.text,
    ].join("\n\n"),
    html: html`<p>${summary}</p>
${
  parts.length > 0 &&
  html`<ul>
${parts.map(({ title, about, link }) => html`<li><a href="${link}">${title}</a><br>${about}</li>\n`)}</ul>
`
}${more !== undefined && html`<p>${more}</p>\n`}${joined !== undefined && html`<p>${joined}</p>\n`}<p><a href="${site}">Open ${name}</a></p>
${end.html}`,
  };
}

function topicPart(
  { state, user, site }: Digest,
  { channelId, topic, firstId, count, senderIds, senderCount }: UnreadTopic,
): { title: string; about: string; link: string } {
  const channel = state.get(channels).byId.get(channelId);
  const place = { id: channelId, name: channel?.name ?? "" };
  const writers = list(
    senderIds.map((id) => nameOf(state, user, id)),
    senderCount,
  );
  return {
    title: headerText(`#${place.name} > ${topicDisplayName(topic, false)}`),
    about: `${counted(count, "message")} by ${writers}`,
    link: `${site}${topicPath(place, topic)}/near/${firstId}`,
  };
}

function newPeopleLine({ state, user, newPeople, hiddenBy }: Digest): string | undefined {
  if (newPeople.length === 0) return undefined;
  if (hiddenBy) return `${counted(newPeople.length, "person", "people")} joined.`;
  const names = newPeople.slice(0, MAX_NAMED).map(({ id }) => nameOf(state, user, id));
  return `New: ${list(names, newPeople.length)}.`;
}

function list(names: readonly string[], count: number): string {
  const rest = count - names.length;
  if (rest > 0) return `${names.join(", ")} and ${counted(rest, "other")}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
