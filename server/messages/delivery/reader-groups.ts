/**
 * Which flags people have on a message that was changed. Nearly all of them are in one of few situations, so
 * the entry in the log keeps groups of people. The largest group's people are not listed.
 *
 * Flags are stored, not computed at delivery: a queue that is read from the log again must give what it would
 * have given then, and people read on meanwhile.
 */
import type { ChannelId, MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { Change } from "../../platform/log/change.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import {
  listAllPublicListeners,
  listFlagsOn,
  listLateSubscribers,
  listQueueOwners,
  listReadStates,
  listReadStatesAmong,
  listReceiversIn,
  type ReadStates,
} from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import { NO_LIMIT } from "../query/readable/readable-ranges.ts";
import { readStateOf } from "../read-state/read-state.ts";
import { newestStartsOf } from "./newest-starts.ts";
import { writePeople } from "./people-text.ts";

/** People in the same situation. `personal`: bits of `personalFlags`. `people`: see `people-text.ts`. */
export type ReaderGroup = [personal: number, isRead: boolean, isHistorical: boolean, people: string];

/**
 * The groups, the largest first. The largest stands for everybody who is in no other group, and lists nobody.
 * The place is where the message is now. `concerned`: people besides the subscribers who may get the event.
 */
export async function findReaderGroups(
  tx: Change,
  row: FetchedRow,
  { recipientId, topicId }: { recipientId: RecipientId; topicId: TopicId | null },
  concerned: Iterable<UserId>,
): Promise<ReaderGroup[]> {
  const isChannels = row.userIds === null;
  const channelId = recipientId as ChannelId;
  // Nothing is unread in an archived channel.
  const isArchived = isChannels && tx.state.get(channels).byId.get(channelId)?.isArchived === true;
  const message = { id: row.id, recipientId, topicId };
  const { organizationId } = tx.state;
  const { members, others, findStates } = row.userIds
    ? peopleOfDirect(row.userIds)
    : await peopleOfChannel(tx, channelId, concerned);
  const [states, flags, late] = await Promise.all([
    isArchived ? nothing : findStates(tx, organizationId, message, members),
    listFlagsOn(tx, organizationId, row.id),
    isChannels ? findLateSubscribers(tx, channelId, row.id) : [],
  ]);
  const came = [...new Set<UserId>([...late, ...others])];
  const received = came.length > 0 ? await listReceiversIn(tx, organizationId, message, came) : [];
  return readerGroups(row, { members, others, isArchived, states, flags, late, received });
}

/** What decides about people's flags on a message. */
export interface Readers {
  /** The people for whom the message may be unread. */
  members: readonly UserId[];
  /** Others who may get the event. */
  others: readonly UserId[];
  /** Whether the message is in an archived channel. */
  isArchived: boolean;
  states: ReadStates;
  flags: readonly { userId: UserId; personal: number }[];
  /** The members whose subscription began after the message was sent. */
  late: readonly UserId[];
  /** Those who received the message, at least all of `late` and `others` who did. */
  received: readonly UserId[];
}

/** The groups, as of `findReaderGroups`. */
export function readerGroups(
  row: Pick<FetchedRow, "id" | "senderId" | "facts">,
  { members, others, isArchived, states, flags, late, received }: Readers,
): ReaderGroup[] {
  const receivedIds = new Set(received);
  const came = new Set([...late, ...others]);
  const inRanges = new Set(states.inRanges);
  const markedUnread = new Set(states.markedUnread);
  const lateIds = new Set(late);
  const bits = new Map(flags.map(({ userId, personal }) => [userId, personal]));
  const groups = new Groups();
  const add = (userId: UserId, since: number | null) => {
    const personal = bits.get(userId) ?? 0;
    const own = { personal, isInRanges: inRanges.has(userId), isMarkedUnread: markedUnread.has(userId) };
    const { isRead } = readStateOf(userId, row, own, since);
    groups.add(userId, personal, isRead, came.has(userId) && !receivedIds.has(userId));
  };
  for (const userId of members) add(userId, isArchived ? null : lateIds.has(userId) ? NO_LIMIT : 0);
  for (const userId of others) add(userId, null);
  return groups.largestFirst();
}

const nothing: ReadStates = { inRanges: [], markedUnread: [] };

interface People {
  /** The people for whom the message may be unread. */
  members: readonly UserId[];
  /** Others who may get the event. */
  others: readonly UserId[];
  /** The statement that finds the read states of `members` soonest. */
  findStates: typeof listReadStatesAmong;
}

function peopleOfDirect(members: readonly UserId[]): People {
  return { members, others: [], findStates: listReadStatesAmong };
}

/** With fewer subscribers, it is not worth asking which of them have a queue. */
const MANY_SUBSCRIBERS = 1000;
/** At most one of so many subscribers has a queue, as far as this node can tell. */
const FEW = 10;

async function peopleOfChannel(
  tx: Change,
  channelId: ChannelId,
  concerned: Iterable<UserId>,
): Promise<People> {
  const { state } = tx;
  const subscribed = state.get(subscribers).of(channelId);
  const may = [...concerned, ...(await listAllPublicListeners(tx, state.organizationId))];
  const others = [...new Set(may)].filter((userId) => !subscribed.has(userId));
  if (subscribed.size < MANY_SUBSCRIBERS || queuesOf(state).byId.size * FEW > subscribed.size) {
    return { members: [...subscribed], others, findStates: listReadStates };
  }
  const owners = await listQueueOwners(tx, state.organizationId);
  const members = owners.filter((userId) => subscribed.has(userId));
  return { members, others, findStates: listReadStatesAmong };
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

/** The subscribers whose present subscription began after the message was sent. */
async function findLateSubscribers(
  tx: Change,
  channelId: ChannelId,
  id: MessageId,
): Promise<readonly UserId[]> {
  const { state } = tx;
  const starts = newestStartsOf(state);
  if (starts.isAfterAll(channelId, id)) return [];
  const note = starts.reading(channelId);
  const { newest, userIds } = await listLateSubscribers(tx, state.organizationId, channelId, id);
  note(newest);
  return userIds;
}
