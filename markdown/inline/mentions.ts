import { escapeText } from "../escape.ts";
import type { MentionedGroup, MentionedUser } from "../lookups.ts";
import type { Session } from "../session.ts";
import { beginsAfter, HAS, type InlineRule } from "./phrase.ts";

const OPENERS = "'\"({[/<";
const CHANNEL_WILDCARDS = new Set(["all", "everyone", "channel", "stream"]);

/** The displayed name of a system group, instead of its API name. */
const GROUP_TITLES: Record<string, string> = {
  "role:owners": "Owners",
  "role:administrators": "Administrators",
  "role:moderators": "Moderators",
  "role:fullmembers": "Full members",
  "role:members": "Members",
  "role:everyone": "Everyone",
  "role:internet": "Everyone on the internet",
  "role:nobody": "Nobody",
};

/**
 * `@**Name**`, `@**Name|id**`, `@**|id**`, the wildcards, and each with `_` after the `@` to name without
 * notifying.
 */
export const userMention: InlineRule = {
  needs: HAS.at,
  apply: (text, session) => replaceMentions(text, "**", session, renderUser),
};

/** `@*group*` and `@_*group*`. */
export const groupMention: InlineRule = {
  needs: HAS.at,
  apply: (text, session) => replaceMentions(text, "*", session, renderGroup),
};

/** Makes every mention silent: quoting a text must not notify again. */
export function silenceMentions(line: string): string {
  if (!line.includes("@*")) return line;
  return line
    .replace(/(?<![^\s'"({[/<])@\*\*(?=[^*]+\*\*)/g, "@_**")
    .replace(/(?<![^\s'"({[/<])@\*(?=[^*]+\*)/g, "@_*");
}

type RenderMention = (name: string, isSilent: boolean, session: Session) => string | null;

function replaceMentions(text: string, stars: string, session: Session, render: RenderMention): string {
  let out = "";
  let done = 0;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const isSilent = text.charCodeAt(at + 1) === 95;
    const open = at + (isSilent ? 2 : 1);
    if (!text.startsWith(stars, open) || !beginsAfter(text, at, OPENERS)) continue;
    const start = open + stars.length;
    const end = text.indexOf("*", start);
    if (end === -1) break;
    if (end === start || !text.startsWith(stars, end)) continue;
    const html = render(session.sourceOf(text.slice(start, end)), isSilent, session);
    if (html === null) continue;
    out += text.slice(done, at) + session.storePhrase(html, text.slice(at, end + stars.length));
    done = end + stars.length;
    at = done - 1;
  }
  return done === 0 ? text : out + text.slice(done);
}

function renderUser(name: string, isSilent: boolean, session: Session): string | null {
  const { facts } = session;
  if (CHANNEL_WILDCARDS.has(name)) {
    if (!isSilent) facts.mentionsChannelWildcard = true;
    return span("user-mention channel-wildcard-mention", isSilent, ' data-user-id="*"', name);
  }
  if (name === "topic") {
    if (!isSilent) facts.mentionsTopicWildcard = true;
    return span("topic-mention", isSilent, "", name);
  }
  const user = findUser(name, session);
  if (user === undefined) return null;
  const isQuiet = isSilent || user.isActive === false;
  if (!isQuiet) addOnce(facts.mentionedUserIds, user.id);
  return span("user-mention", isQuiet, ` data-user-id="${user.id}"`, user.fullName);
}

/**
 * With an ID, the name must be that person's: `@**Ada Osei|12**` is no mention if user 12 has another name.
 */
function findUser(name: string, session: Session): MentionedUser | undefined {
  const withId = /^(.*)\|(\d{1,15})$/s.exec(name);
  if (withId === null) {
    const users = session.lookups.userByName(name);
    return users.find((user) => user.fullName === name) ?? users[0];
  }
  const user = session.lookups.userById(Number(withId[2]));
  return withId[1] === "" || user?.fullName === withId[1] ? user : undefined;
}

function renderGroup(name: string, isSilent: boolean, session: Session): string | null {
  const group = session.lookups.groupByName(name);
  if (group === undefined) return null;
  if (!isSilent) addOnce(session.facts.mentionedGroupIds, group.id);
  return span("user-group-mention", isSilent, ` data-user-group-id="${group.id}"`, groupTitle(group));
}

function groupTitle(group: MentionedGroup): string {
  return (group.isSystem ? GROUP_TITLES[group.name] : undefined) ?? group.name;
}

function span(className: string, isSilent: boolean, attributes: string, name: string): string {
  const silent = isSilent ? " silent" : "";
  return `<span class="${className}${silent}"${attributes}>${isSilent ? "" : "@"}${escapeText(name)}</span>`;
}

function addOnce(ids: number[], id: number): void {
  if (!ids.includes(id)) ids.push(id);
}
