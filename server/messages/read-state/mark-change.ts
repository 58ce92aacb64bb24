/** Marks as read as changes that share transactions. */
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { channels } from "../../channels/channel.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type GroupedChange, HeldRows, NotForGroup } from "../../platform/log/grouped-change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { canReadFound } from "../access.ts";
import { MAX_PIECES } from "./bound-store.ts";
import { announceRead } from "./events.ts";
import { type FoundMark, findMarks } from "./grouped-store.ts";
import { markerRows, type SharedPlace, sharedPlaceRows } from "./lock-store.ts";
import { readStateOf } from "./read-state.ts";
import { SharedPlaces } from "./read-state-lock.ts";
import { insertReadStatement, type ReadMark } from "./store.ts";

export interface MarkRequest {
  viewer: Viewer;
  /** Each once. */
  messageIds: readonly number[];
}

interface Shared {
  places: SharedPlaces;
  /** How many messages the requests before have marked for each person. */
  counts: Map<UserId, number>;
}

/** What a mark reads and writes counts as much, and each message of it. So a group has at most 204 marks. */
const SIZE_OF_MARK = 1024;
const SIZE_OF_MESSAGE = 256;

/**
 * As `markAsRead`. Throws NotForGroup if a row of the person's read state may grow too large. Resolves with
 * the messages that changed.
 */
export const markChange: GroupedChange<MarkRequest, FoundMark, Shared, ReadMark, MessageId[]> = {
  // After edits, which announce what their readers have read.
  name: "user mark",
  keysOf: ({ viewer, messageIds }) => messageIds.map((id) => `read ${id} ${viewer.user.id}`),
  sizeOf: ({ messageIds }) => SIZE_OF_MARK + SIZE_OF_MESSAGE * messageIds.length,
  check({ viewer }) {
    currentViewer(viewer);
  },
  // As in `markAsRead`, no row of a message is locked.
  locks: [
    { rows: sharedPlaceRows, of: ({ messageIds }) => messageIds.map((id) => ({ id, mode: "" })) },
    { rows: markerRows, of: ({ viewer }) => [{ id: viewer.user.id, mode: "" }] },
  ],
  find(organizationId, requests) {
    const asked = requests.flatMap(({ viewer, messageIds }, number) =>
      messageIds.map((messageId) => ({ number, userId: viewer.user.id, messageId })),
    );
    return findMarks(organizationId, asked);
  },
  share(_, held) {
    const places = held(sharedPlaceRows) as readonly SharedPlace[];
    return { places: new SharedPlaces(places.flatMap(({ place }) => place ?? [])), counts: new Map() };
  },
  decide(request, found, { places, counts }, events) {
    const { state, user } = currentViewer(request.viewer);
    const readable = found.filter((message) => canReadFound({ state, user }, message));
    // One may have moved away before its place was held.
    if (!readable.every(({ topicId, recipientId }) => places.has(topicId ?? recipientId)))
      throw new HeldRows();
    const unread = readable.filter(
      (message) => !readStateOf(user.id, message, message, sinceOf(state, message)).isRead,
    );
    const ids = unread.map(({ id }) => id).sort((one, other) => one - other);
    if (ids.length === 0) return { writes: [], answer: ids };
    const count = (counts.get(user.id) ?? 0) + ids.length;
    if (unread.some(({ pieces }) => pieces + count > MAX_PIECES)) throw new NotForGroup();
    counts.set(user.id, count);
    announceRead(events, [user.id], ids);
    const hasMuted = state.get(mutedUsers).hasEverMuted(user.id);
    return { writes: [{ userId: user.id, ids, hasMuted }], answer: ids };
  },
  write: (organizationId, writes) => insertReadStatement(organizationId, [...byPerson(writes).values()]),
};

/** A person's marks write the same rows, such as the floors of channels, so they are written as one. */
function byPerson(writes: readonly ReadMark[]): Map<UserId, ReadMark> {
  const marks = new Map<UserId, ReadMark>();
  for (const write of writes) {
    const own = marks.get(write.userId);
    marks.set(write.userId, own ? { ...write, ids: [...own.ids, ...write.ids] } : write);
  }
  return marks;
}

/** As `SubscriptionIntervals.since`; 0 for a direct message. */
function sinceOf(state: OrganizationState, { userIds, recipientId, since }: FoundMark): number | null {
  if (userIds) return 0;
  return state.get(channels).byId.get(recipientId as ChannelId)?.isArchived ? null : since;
}
