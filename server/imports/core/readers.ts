/**
 * Who received which messages, and what they have read, once the places of all messages are known.
 * Subscriptions of a source name messages by the source's order. Here they are stretches of places, and the
 * two orders may differ. Then a subscription becomes as many stretches as it takes: nobody gets a message
 * that they did not receive.
 */
import type { ChannelId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import {
  addPastPreferences,
  addPastSubscriptions,
  forgetPastSubscriptions,
  type PastInterval,
  type PastPreferences,
} from "../../channels/past.ts";
import { type PastReadState, writePastReadStates } from "../../messages/past-messages.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { WrittenIds } from "./ids.ts";
import type { ReadMarks, ReadPlace } from "./read-marks.ts";
import type { ImportSource, SourceSubscription } from "./records.ts";
import type { Report } from "./report.ts";

/** Older messages of somebody who has more unread ones count as read. */
const MAX_UNREAD = 5000;
/** The newest stretches of one subscription that are kept. */
const MAX_STRETCHES = 100;
/** In one conversation, as in a row that is written by marks. */
const MAX_DIRECT_STRETCHES = 400;
const BATCH = 5000;
export const UNKNOWN_SUBSCRIPTION =
  "subscriptions of people or to channels that are not in the archive were left out";

interface Messages {
  places: number[];
  /** Milliseconds, of the message at each place. */
  times: number[];
  orders: number[];
  isSorted: boolean;
  isChannel: boolean;
  /** The people of a conversation. */
  people: readonly UserId[];
  unread: Map<UserId, number[]>;
}

export class ReadStates {
  readonly #messages = new Map<RecipientId, Messages>();
  readonly #report: Report;
  readonly #marks: ReadMarks;

  constructor(report: Report, marks: ReadMarks) {
    this.#report = report;
    this.#marks = marks;
  }

  /** In the order of places. `readers`: who has not read it. */
  note(
    recipientId: RecipientId | ChannelId,
    { place, order, sentAt }: { place: number; order: number; sentAt: number },
    readers: readonly UserId[],
    isChannel: boolean,
    people: readonly UserId[] = [],
  ): void {
    const id = recipientId as number as RecipientId;
    let messages = this.#messages.get(id);
    if (!messages) {
      messages = { places: [], times: [], orders: [], isSorted: true, isChannel, people, unread: new Map() };
      this.#messages.set(id, messages);
    }
    const last = messages.orders.at(-1);
    if (last !== undefined && last > order) messages.isSorted = false;
    messages.places.push(place);
    messages.times.push(sentAt);
    messages.orders.push(order);
    for (const reader of readers) this.#noteUnread(messages, reader, place);
  }

  #noteUnread({ unread }: Messages, reader: UserId, place: number): void {
    const places = unread.get(reader);
    if (!places) unread.set(reader, [place]);
    else if (places.length < 2 * MAX_UNREAD) places.push(place);
    else {
      this.#report.lose("old unread messages count as read", undefined, MAX_UNREAD + 1);
      unread.set(reader, [...places.slice(-MAX_UNREAD + 1), place]);
    }
  }

  /** The stretches of places in a channel that somebody received. */
  stretchesOf(channelId: ChannelId, { intervals, isCurrent }: SourceSubscription, head: number): Stretch[] {
    const messages = this.#messages.get(channelId as number as RecipientId);
    const { places = [], orders = [] } = messages ?? {};
    const stretches: Stretch[] = [];
    if (messages?.isSorted !== false) {
      let lastIndex = -2;
      for (const { after, upTo } of [...intervals].sort((a, b) => a.after - b.after)) {
        const [first, last] = [firstAbove(orders, after), firstAbove(orders, upTo) - 1];
        if (first > last) continue;
        const before = (places[last] as number) + 1;
        const isNext = first === lastIndex + 1;
        if (isNext) (stretches.at(-1) as Stretch).before = before;
        else stretches.push({ after: (places[first] as number) - 1, before });
        lastIndex = last;
      }
    } else {
      const sorted = [...intervals].sort((a, b) => a.after - b.after);
      const afters = sorted.map(({ after }) => after);
      const isReceived = (order: number) => order <= (sorted[firstAbove(afters, order - 1) - 1]?.upTo ?? -1);
      for (const [index, place] of places.entries()) {
        if (!isReceived(orders[index] as number)) continue;
        const isNext = index > 0 && stretches.at(-1)?.before === (places[index - 1] as number) + 1;
        if (isNext) (stretches.at(-1) as Stretch).before = place + 1;
        else stretches.push({ after: place - 1, before: place + 1 });
      }
    }
    const joined = joinTouching(stretches);
    if (isCurrent) {
      const last = joined.at(-1);
      const reachesEnd = last !== undefined && last.before === (places.at(-1) as number) + 1;
      if (reachesEnd) last.before = null;
      else joined.push({ after: head, before: null });
    }
    return joined.slice(-MAX_STRETCHES);
  }

  *readStates(
    isSubscribed: (channelId: RecipientId, userId: UserId) => boolean,
    readers: ReadonlySet<UserId>,
  ) {
    for (const [recipientId, messages] of this.#messages) {
      const { isChannel, people } = messages;
      if (isChannel) continue;
      for (const userId of people) {
        if (!readers.has(userId)) continue;
        const gaps = this.#gapsOf(messages, people, userId).slice(-MAX_DIRECT_STRETCHES);
        yield { userId, recipientId, isChannel, unread: gaps } satisfies PastReadState;
      }
    }
    for (const [recipientId, messages] of this.#messages) {
      const { isChannel } = messages;
      if (!isChannel) continue;
      for (const userId of readers) {
        if (!isSubscribed(recipientId, userId)) continue;
        const gaps = this.#gapsOf(messages, recipientId as number as ChannelId, userId);
        yield { userId, recipientId, isChannel, unread: gaps } satisfies PastReadState;
      }
    }
  }

  #gapsOf({ places, times, unread }: Messages, place: ReadPlace, userId: UserId): [number, number][] {
    const readUntil = this.#marks.of(place, userId);
    if (readUntil === undefined) return gapsOf(places, (unread.get(userId) ?? []).slice(-MAX_UNREAD));
    const first = firstAbove(times, readUntil);
    const kept = Math.max(first, places.length - MAX_UNREAD);
    if (kept > first) this.#report.lose("old unread messages count as read", undefined, kept - first);
    return kept < places.length ? [[places[kept] as number, places.at(-1) as number]] : [];
  }
}

interface Stretch {
  after: number;
  before: number | null;
}

function joinTouching(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (last?.before !== undefined && last.before !== null && stretch.after < last.before) {
      if (stretch.before !== null) last.before = Math.max(last.before, stretch.before);
    } else joined.push({ ...stretch });
  }
  return joined;
}

/** The first index whose value is above. The values rise. */
function firstAbove(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Unread messages with none between them that is read are one gap. */
function gapsOf(places: readonly number[], unread: readonly number[]): [number, number][] {
  const gaps: [number, number][] = [];
  let lastIndex = -2;
  for (const place of unread) {
    const index = firstAbove(places, place) - 1;
    const gap = gaps.at(-1);
    if (gap && index === lastIndex + 1) gap[1] = place;
    else gaps.push([place, place]);
    lastIndex = index;
  }
  return gaps;
}

export interface ReadersTarget {
  organizationId: OrganizationId;
  source: ImportSource;
  ids: WrittenIds;
  readStates: ReadStates;
  /** The people who are no bots. */
  readers: ReadonlySet<UserId>;
  /** The last place. */
  head: number;
}

/** Writes subscriptions and read states, in place of those that an interrupted run wrote. */
export async function writeReaders(tx: Queryable, target: ReadersTarget, report: Report): Promise<void> {
  const { organizationId, source, ids, readStates, readers, head } = target;
  await forgetPastSubscriptions(tx, organizationId);
  const subscriptions = new Map<
    string,
    { subscription: SourceSubscription; channelId: ChannelId; userId: UserId }
  >();
  for (const subscription of source.subscriptions()) {
    const { isCurrent } = subscription;
    if (isCurrent) report.found("subscriptions");
    const [channelId, userId] = [
      ids.channels.get(subscription.channelId),
      ids.people.get(subscription.personId),
    ];
    if (channelId === undefined || userId === undefined) {
      if (isCurrent) report.lose(UNKNOWN_SUBSCRIPTION);
      continue;
    }
    const key = keyOf(channelId, userId);
    // Two accounts of one person.
    if (subscriptions.get(key)?.subscription.isCurrent) continue;
    subscriptions.set(key, { subscription, channelId, userId });
  }
  const intervals: PastInterval[] = [];
  const preferences: PastPreferences[] = [];
  for (const { subscription, channelId, userId } of subscriptions.values()) {
    for (const stretch of readStates.stretchesOf(channelId, subscription, head)) {
      intervals.push({ channelId, userId, ...stretch });
    }
    preferences.push({ channelId, userId, ...subscription.preferences });
    if (subscription.isCurrent) report.taken("subscriptions");
  }
  for (const batch of batchesOf(intervals)) await addPastSubscriptions(tx, organizationId, batch);
  for (const batch of batchesOf(preferences)) await addPastPreferences(tx, organizationId, batch);
  const isSubscribed = (channelId: RecipientId, userId: UserId) =>
    subscriptions.get(keyOf(channelId, userId))?.subscription.isCurrent === true;
  let rows: PastReadState[] = [];
  for (const row of readStates.readStates(isSubscribed, readers)) {
    rows.push(row);
    if (rows.length < BATCH) continue;
    await writePastReadStates(tx, { organizationId }, head, rows);
    rows = [];
  }
  if (rows.length > 0) await writePastReadStates(tx, { organizationId }, head, rows);
}

function keyOf(channelId: ChannelId | RecipientId, userId: UserId): string {
  return `${channelId} ${userId}`;
}

function* batchesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
}
