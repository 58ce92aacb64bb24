/** Edits of a text as changes that share transactions. */
import type { ChannelId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { derived } from "../../platform/log/derived.ts";
import { type GroupedChange, NotForGroup } from "../../platform/log/grouped-change.ts";
import { accessFound } from "../access.ts";
import { audienceOfAddition } from "../delivery/audiences.ts";
import { newestStartsOf } from "../delivery/newest-starts.ts";
import { type ReaderGroup, readerGroups } from "../delivery/reader-groups.ts";
import { loggedMentions } from "../delivery/update-event.ts";
import { pagesOf } from "../link-previews/linked-pages.ts";
import { personalBitsOf } from "../mentions/personal-flags.ts";
import { checkChannelWildcard } from "../mentions/wildcard-mentions.ts";
import { messageRows, toChange } from "../model/lock-store.ts";
import { readPlaceRows } from "../read-state/lock-store.ts";
import { factBits } from "../send/prepare.ts";
import { mayLinkUploads } from "../uploads/text-uploads.ts";
import { checkPreviousText, LASTING_FACTS } from "./edit.ts";
import type { EditText } from "./edit-text.ts";
import { appendUpdate, type ContentChange } from "./events.ts";
import { type EditWrite, type FoundEdit, findEdits, writeEdits } from "./grouped-store.ts";
import { checkEdit } from "./permissions.ts";
import { TEXT_BITS } from "./store.ts";

export interface TextEditRequest {
  viewer: Viewer;
  messageId: number;
  text: EditText;
  previousHash: string | undefined;
}

/** A message of a channel with more subscribers is edited alone, since all their read states must be read. */
const MAX_SUBSCRIBERS = 250;
/** An edit writes its text, the HTML and what they were before. */
const SIZE_OF_CHARACTER = 6;
/** What an edit reads of its message's readers counts as much. So a group has at most 64 edits. */
const SIZE_OF_EDIT = 4096;

const largeChannels = derived(
  (state) => state.get(subscribers).version,
  (state) =>
    [...state.get(channels).byId.keys()].filter((id) => state.get(subscribers).of(id).size > MAX_SUBSCRIBERS),
);

/**
 * As `editMessage`, for a text that changes nothing but the message and gives nobody a flag. For others
 * throws NotForGroup.
 */
export const textEditChange: GroupedChange<TextEditRequest, FoundEdit, void, EditWrite, void> = {
  // Before flags: an event of theirs must come after one that says which flags people have on the message.
  name: "edit",
  keysOf: ({ messageId }) => [`edit ${messageId}`],
  sizeOf: ({ text }) => text.content.length * SIZE_OF_CHARACTER + SIZE_OF_EDIT,
  check({ viewer, text }) {
    currentViewer(viewer);
    if (mayLinkUploads(text.content)) throw new NotForGroup();
  },
  locks: [
    { rows: messageRows, of: ({ messageId }) => [{ id: messageId, mode: toChange }] },
    { rows: readPlaceRows, of: ({ messageId }) => [{ id: messageId, mode: "" }] },
  ],
  find(organizationId, requests) {
    const asked = requests.map(({ viewer, messageId }) => ({ userId: viewer.user.id, messageId }));
    const { state } = (requests[0] as TextEditRequest).viewer;
    const known = { largeIds: largeChannels(state), starts: newestStartsOf(state).known() };
    return findEdits(organizationId, asked, known);
  },
  share() {},
  decide(request, [row], _, events) {
    const viewer = currentViewer(request.viewer);
    const { state, user } = viewer;
    const found = accessFound({ state, user }, row);
    const channel = found.userIds ? undefined : state.get(channels).byId.get(found.recipientId as ChannelId);
    if (channel && found.newestStart !== null) {
      newestStartsOf(state).reading(channel.id)(found.newestStart);
    }
    const hasTextFlags = found.flagBits?.some((bits) => bits === 0 || (bits & TEXT_BITS) !== 0);
    if (found.isLarge || found.hasUploads || hasTextFlags) throw new NotForGroup();
    checkEdit(viewer, found);
    checkPreviousText(found, request.previousHash);
    const content = changeOf(viewer, found, request.text, channel);
    const audience = audienceOfAddition(state, found, found.flaggedIds ?? [], user.id);
    if (!audience) throw new NotForGroup();
    const editedAt = new Date();
    const { id } = found;
    const details = {
      message: loggedMentions(found, content),
      readers: [],
      groups: groupsOf(viewer, found, channel),
    };
    const change = { content, move: undefined, editedAt };
    appendUpdate(events, viewer, found, change, { id, ids: [id], details }, audience);
    const write = {
      ...content,
      id,
      editorId: user.id,
      editedAt,
      previousContent: found.content,
      previousRenderedContent: found.renderedContent,
    };
    return { writes: [write], answer: undefined };
  },
  write: writeEdits,
};

function changeOf(
  { state, user }: Viewer,
  found: FoundEdit,
  { content, draft }: EditText,
  channel: Channel | undefined,
): ContentChange {
  const { html, facts } = draft.render(state, content, user);
  if (facts.mentionsChannelWildcard && channel) checkChannelWildcard({ state, user } as Viewer, channel);
  const mentionsMore = facts.mentionsTopicWildcard || facts.mentionedGroupIds.length > 0;
  if (mentionsMore || pagesOf(state, user, facts).length > 0) throw new NotForGroup();
  const { senderId, userIds } = found;
  const personal = personalBitsOf(
    state,
    { senderId, content, mentionedUserIds: facts.mentionedUserIds },
    (userId) => userIds === null || userIds.includes(userId),
  );
  if (personal.some(([, bits]) => (bits & TEXT_BITS) !== 0)) throw new NotForGroup();
  return {
    content,
    renderedContent: html,
    facts: factBits(facts) | (found.facts & LASTING_FACTS),
    mentionedGroupIds: null,
    mentionedGroupPositions: null,
  };
}

function groupsOf({ state, user }: Viewer, found: FoundEdit, channel: Channel | undefined): ReaderGroup[] {
  const { flaggedIds, flagBits, listenerIds, lateIds, receivedIds } = found;
  const flags = (flaggedIds ?? []).map((userId, index) => ({ userId, personal: flagBits?.[index] ?? 0 }));
  const subscribed = channel && state.get(subscribers).of(channel.id);
  const others = subscribed
    ? [...new Set([...(flaggedIds ?? []), user.id, ...listenerIds])].filter((id) => !subscribed.has(id))
    : [];
  const isArchived = channel?.isArchived === true;
  return readerGroups(found, {
    members: subscribed ? [...subscribed] : (found.userIds ?? []),
    others,
    isArchived,
    states: isArchived ? { inRanges: [], markedUnread: [] } : found,
    flags,
    late: lateIds ?? [],
    received: receivedIds,
  });
}
