/**
 * Which flags people have on a message that was changed. Nearly all of them are in one of few situations, so
 * the entry in the log keeps groups of people. The largest group's people are not listed.
 *
 * Flags are stored and not worked out at the delivery: a queue that is read from the log again must give what
 * it would have given then, and people read on meanwhile.
 */
import type { ChannelId, MessageId, Position, RecipientId, UserId } from "../../../../api/ids.ts";
import type { Change } from "../../../platform/log/change.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { readStateOf } from "../../read-ranges/read-state.ts";
import {
  listFlagsOn,
  listLateSubscribers,
  listQueueOwners,
  listReadStates,
  listReceiversIn,
} from "../edit/store.ts";
import type { FetchedRow } from "../query/fetch.ts";
import { NO_LIMIT } from "../query/readable/readable-ranges.ts";
import { writePeople } from "./people-text.ts";

/** People in the same situation. `personal`: bits of `personalFlags`. `people`: see `people-text.ts`. */
export type ReaderGroup = [personal: number, isRead: boolean, isHistorical: boolean, people: string];

/**
 * The groups, the largest first. It stands for everybody who is in no other group, and lists nobody.
 * `recipientId`: where the message is now. `concerned`: people besides the subscribers who may get the event.
 */
export async function findReaderGroups(
  tx: Change,
  row: FetchedRow,
  recipientId: RecipientId,
  concerned: Iterable<UserId>,
): Promise<ReaderGroup[]> {
  const isChannels = row.userIds === null;
  const channelId = recipientId as ChannelId;
  // Nothing is unread in an archived channel.
  const isArchived = isChannels && tx.state.get(channels).byId.get(channelId)?.isArchived === true;
  const { members, others } = row.userIds
    ? { members: row.userIds, others: [] }
    : await peopleOf(tx, channelId, concerned);
  const message = { id: row.id, recipientId };
  const { organizationId } = tx.state;
  const [states, flags, late] = await Promise.all([
    listReadStates(tx, organizationId, message, isArchived ? [] : members),
    listFlagsOn(tx, organizationId, row.id),
    isChannels ? findLateSubscribers(tx, channelId, row.id) : [],
  ]);
  const came = new Set<UserId>([...late, ...others]);
  const received = new Set(
    came.size > 0 ? await listReceiversIn(tx, organizationId, message, [...came]) : [],
  );
  const inRanges = new Set(states.inRanges);
  const markedUnread = new Set(states.markedUnread);
  const lateIds = new Set(late);
  const bits = new Map(flags.map(({ userId, personal }) => [userId, personal]));

  const groups = new Groups();
  const add = (userId: UserId, since: number | null) => {
    const personal = bits.get(userId) ?? 0;
    const own = { personal, isInRanges: inRanges.has(userId), isMarkedUnread: markedUnread.has(userId) };
    const { isRead } = readStateOf(userId, row, own, since);
    groups.add(userId, personal, isRead, came.has(userId) && !received.has(userId));
  };
  for (const userId of members) add(userId, isArchived ? null : lateIds.has(userId) ? NO_LIMIT : 0);
  for (const userId of others) add(userId, null);
  return groups.largestFirst();
}

/** The channel's subscribers and, of the others who have a queue, those who may get the event. */
async function peopleOf(
  tx: Change,
  channelId: ChannelId,
  concerned: Iterable<UserId>,
): Promise<{ members: readonly UserId[]; others: readonly UserId[] }> {
  const subscribed = tx.state.get(subscribers).of(channelId);
  const owners = await listQueueOwners(tx, tx.state.organizationId);
  const may = new Set([...concerned, ...owners.allPublic]);
  // If few of many subscribers have a queue, the others are not asked about.
  const isFew = owners.all.length * 2 < subscribed.size;
  return {
    members: isFew ? owners.all.filter((userId) => subscribed.has(userId)) : [...subscribed],
    others: owners.all.filter((userId) => may.has(userId) && !subscribed.has(userId)),
  };
}

class Groups {
  readonly #byKey = new Map<number, { group: ReaderGroup; userIds: UserId[] }>();

  add(userId: UserId, personal: number, isRead: boolean, isHistorical: boolean): void {
    const key = personal * 4 + (isRead ? 2 : 0) + (isHistorical ? 1 : 0);
    const known = this.#byKey.get(key);
    if (known) known.userIds.push(userId);
    else this.#byKey.set(key, { group: [personal, isRead, isHistorical, ""], userIds: [userId] });
  }

  largestFirst(): ReaderGroup[] {
    const all = [...this.#byKey.values()].sort((a, b) => b.userIds.length - a.userIds.length);
    return all.map(({ group: [personal, isRead, isHistorical], userIds }, index) => [
      personal,
      isRead,
      isHistorical,
      index === 0 ? "" : writePeople(userIds),
    ]);
  }
}

/**
 * For each channel: where its newest subscription began, as of a `stateHead`. While memory stays as it is, so
 * do the subscriptions, and nobody came after a message that is newer. If memory was behind the database, the
 * change is not committed.
 */
type NewestStarts = Map<ChannelId, { stateHead: Position; newest: Position }>;

const newestStarts = new WeakMap<OrganizationState, NewestStarts>();
const MAX_CHANNELS = 1000;

/** The subscribers whose present subscription began after the message was sent. */
async function findLateSubscribers(
  tx: Change,
  channelId: ChannelId,
  id: MessageId,
): Promise<readonly UserId[]> {
  const { state } = tx;
  const { stateHead, organizationId } = state;
  const starts: NewestStarts = newestStarts.get(state) ?? new Map();
  newestStarts.set(state, starts);
  const known = starts.get(channelId);
  if (known?.stateHead === stateHead && known.newest < id) return [];
  const { newest, userIds } = await listLateSubscribers(tx, organizationId, channelId, id);
  if (starts.size >= MAX_CHANNELS) starts.clear();
  starts.set(channelId, { stateHead, newest });
  return userIds;
}
