/**
 * Mentions that an edit adds. Both texts are in the entry of the log, so an edit that adds none costs no
 * look-up.
 */
import type { GroupId, MessageId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import { storedUpdate } from "../edit/events.ts";
import type { PersonalRow } from "../model/message.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import { isMentionedIn } from "./group-mentions.ts";

/** An edit after which the text mentions more than before. */
export interface MentioningEdit {
  messageId: MessageId;
  editedAt: Date;
  before: Mentions;
  after: Mentions;
}

interface Mentions {
  userIds: ReadonlySet<number>;
  groupIds: ReadonlySet<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
}

/** What the renderer makes of a mention. A silent one has another class. */
const MENTION =
  /<span class="(user-mention|user-mention channel-wildcard-mention|topic-mention|user-group-mention)"(?: data-user(?:-group)?-id="(\d+|\*)")?>/g;

/** undefined: the entry is of something else. */
export function mentioningEditOf({ payload }: LogEntry): MentioningEdit | undefined {
  const update = storedFields(storedUpdate, payload)?.update;
  if (!update || update.rendering_only || update.stream_id === undefined) return undefined;
  const { rendered_content: html, orig_rendered_content: earlier } = update;
  if (html === undefined || earlier === undefined) return undefined;
  const [before, after] = [mentionsIn(earlier), mentionsIn(html)];
  if (!addsTo(before, after)) return undefined;
  return {
    messageId: update.message_id as MessageId,
    editedAt: new Date((update.edit_timestamp ?? 0) * 1000),
    before,
    after,
  };
}

/**
 * Whether a text with these mentions concerns somebody. `personal`: their bits after the edit. People who
 * take part in a topic took part before it.
 */
export function isMentionedBy(
  state: OrganizationState,
  mentions: Mentions,
  row: PersonalRow,
  { user, personal }: { user: User; personal: number },
): boolean {
  return (
    mentions.userIds.has(user.id) ||
    mentions.mentionsChannel ||
    (mentions.mentionsTopic && hasFlag(personal, personalFlags.topicMentioned)) ||
    [...mentions.groupIds].some((id) => isMentionedIn(state, row, id as GroupId, user))
  );
}

function addsTo(before: Mentions, after: Mentions): boolean {
  return (
    (after.mentionsChannel && !before.mentionsChannel) ||
    (after.mentionsTopic && !before.mentionsTopic) ||
    [...after.userIds].some((id) => !before.userIds.has(id)) ||
    [...after.groupIds].some((id) => !before.groupIds.has(id))
  );
}

function mentionsIn(rendered: string): Mentions {
  const userIds = new Set<number>();
  const groupIds = new Set<number>();
  let [mentionsChannel, mentionsTopic] = [false, false];
  for (const [, kind, id] of rendered.matchAll(MENTION)) {
    if (kind === "topic-mention") mentionsTopic = true;
    else if (kind === "user-group-mention") groupIds.add(Number(id));
    else if (kind === "user-mention") userIds.add(Number(id));
    else mentionsChannel = true;
  }
  return { userIds, groupIds, mentionsChannel, mentionsTopic };
}
