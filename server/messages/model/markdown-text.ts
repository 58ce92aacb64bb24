/**
 * Pieces of the Markdown that the server itself writes. Names that people chose are escaped, so that they
 * mention nobody and format nothing.
 */
import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import { openFences } from "../../../markdown/fences.ts";
import type { Channel } from "../../channels/channel.ts";
import { type Group, type GroupValue, groups } from "../../groups/group.ts";
import { canAccessUser } from "../../people/access/user-access.ts";
import { type User, users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** With more names than this, a notice would be a list of members. */
const MAX_NAMED = 10;

/** A link to a person that does not notify them. */
export function person({ fullName, id }: User): string {
  return `@_**${fullName}|${id}**`;
}

/** The same for one reader, who may not know of everybody. */
export function personKnownTo(state: OrganizationState, reader: User, user: User): string {
  return canAccessUser(state, reader, user) ? person(user) : "Somebody";
}

export function code(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const gap = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${gap}${text}${gap}${fence}`;
}

/** A link to the channel. A name with a character that has a meaning inside links becomes code instead. */
export function channelLink({ name }: Channel): string {
  return /[*>|`$@#&[\]<]/.test(name) ? code(name) : `#**${name}**`;
}

/**
 * A link to a topic of the channel, or with `messageId` to a message in it. Names with a character that has a
 * meaning inside links become code instead.
 */
export function topicLink({ name }: Channel, topic: string, messageId?: number): string {
  if (/[*>|`$@#&[\]<]/.test(name) || /[*|`$@#&[\]<]/.test(topic))
    return `${code(name)} > ${code(topicDisplayName(topic))}`;
  return `#**${name}>${topic}${messageId === undefined ? "" : `@${messageId}`}**`;
}

/**
 * A link to the group that notifies nobody. A name with a character that has a meaning inside links becomes
 * code instead.
 */
export function groupLink({ name }: Group): string {
  return /[*`]/.test(name) ? code(name) : `@_*${name}*`;
}

/**
 * Quotes a text in a fence that is longer than any fence in the text, so that nothing in the text ends the
 * quotation. Fences that the text leaves open are closed.
 */
export function quote(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/[`~]+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}quote`, text, ...openFences(text), fence].join("\n");
}

export function privacy(channel: Channel): string {
  if (channel.isWebPublic) return "web-public: it can be read without an account";
  if (!channel.isPrivate) return "public";
  return channel.isHistoryShared
    ? "private, and new subscribers can read what was said before"
    : "private, and new subscribers can't read what was said before";
}

/** The people whom a permission names. */
export function peopleOf(state: OrganizationState, value: GroupValue): string {
  if (typeof value === "number") return groupName(state, value);
  const all = [
    ...value.direct_subgroups.map((id) => groupName(state, id)),
    ...value.direct_members.flatMap((id) => state.get(users).find(id) ?? []).map(person),
  ];
  const named = all.slice(0, MAX_NAMED).join(", ");
  const more = all.length - MAX_NAMED;
  if (all.length === 0) return "Nobody";
  return more > 0 ? `${named} and ${more} more` : named;
}

function groupName(state: OrganizationState, id: number): string {
  const group = state.get(groups).find(id);
  if (!group) return "Nobody";
  return group.systemCode === null ? `the group ${code(group.name)}` : group.description;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
