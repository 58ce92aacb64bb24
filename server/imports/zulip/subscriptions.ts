/**
 * Who received what. The audit log has when somebody came and left, by ids of messages. Without it, the ids
 * of the messages that somebody has a row of say it. What is not known is taken for not received: nobody may
 * read more here than there.
 */

import { choiceOf, flagOf, idOf, numberOf, type Row, textOf } from "../archive/row.ts";
import type { SourceChannel, SourceSubscription } from "../core/records.ts";
import type { ZulipTables } from "./tables.ts";

const CREATED = 301;
const ENDED = 303;
const COLOR = /^#[0-9a-fA-F]{6}$/;

interface Interval {
  after: number;
  upTo: number;
}

export class ZulipSubscriptions {
  readonly #channels: ReadonlyMap<string, SourceChannel>;
  readonly #rows: readonly { channelId: string; personId: string; row: Row }[];
  readonly #events = new Map<string, Row[]>();
  /** The messages that somebody has of a channel that hides its past, where the log does not say it. */
  readonly #received = new Map<string, number[]>();

  constructor(tables: ZulipTables, channels: readonly SourceChannel[]) {
    this.#channels = new Map(channels.map((channel) => [channel.id, channel]));
    const channelOf = new Map<string, string>();
    for (const row of tables.rows("zerver_recipient")) {
      const [id, channelId] = [idOf(row, "id"), idOf(row, "type_id")];
      if (row.type === 2 && id && channelId) channelOf.set(id, channelId);
    }
    this.#rows = tables.rows("zerver_subscription").flatMap((row) => {
      const channelId = channelOf.get(idOf(row, "recipient") ?? "");
      const personId = idOf(row, "user_profile");
      return channelId && personId ? { channelId, personId, row } : [];
    });
    for (const row of tables.rows("zerver_realmauditlog")) {
      const [personId, channelId] = [idOf(row, "modified_user"), idOf(row, "modified_stream")];
      if (!personId || !channelId) continue;
      const key = `${channelId} ${personId}`;
      const events = this.#events.get(key);
      if (events) events.push(row);
      else this.#events.set(key, [row]);
    }
  }

  /** To be told of each message that somebody received. */
  noteReceived(channelId: string, personId: string, messageId: number): void {
    if (this.#channels.get(channelId)?.isHistoryShared !== false) return;
    const key = `${channelId} ${personId}`;
    if (this.#events.has(key)) return;
    const known = this.#received.get(key);
    if (known) known.push(messageId);
    else this.#received.set(key, [messageId]);
  }

  list(): SourceSubscription[] {
    return this.#rows.flatMap(({ channelId, personId, row }) => {
      const channel = this.#channels.get(channelId);
      if (!channel) return [];
      const isCurrent = flagOf(row, "active");
      const intervals = this.#intervals(channel, personId, isCurrent);
      return { channelId, personId, intervals, isCurrent, preferences: preferencesOf(row) };
    });
  }

  #intervals(channel: SourceChannel, personId: string, isCurrent: boolean): Interval[] {
    const key = `${channel.id} ${personId}`;
    const events = this.#events.get(key) ?? [];
    if (!channel.isHistoryShared && events.length === 0) return this.#received.get(key)?.map(only) ?? [];
    const intervals: Interval[] = [];
    let openedAt: number | undefined;
    for (const row of inOrder(events)) {
      const at = numberOf(row, "event_last_message_id");
      if (row.event_type === ENDED) {
        if (openedAt !== undefined && at !== undefined) intervals.push({ after: openedAt, upTo: at });
        openedAt = undefined;
      } else if (openedAt === undefined) {
        openedAt = at ?? (row.event_type === CREATED && channel.isHistoryShared ? 0 : undefined);
      }
    }
    if (isCurrent) {
      // Without an event, not from before the last one that is known.
      const since = channel.isHistoryShared ? (intervals.at(-1)?.upTo ?? 0) : Number.MAX_SAFE_INTEGER;
      intervals.push({ after: openedAt ?? since, upTo: Number.MAX_SAFE_INTEGER });
    }
    return intervals.filter(({ after, upTo }) => after < upTo);
  }
}

/** The message alone: one that was moved there may be older than the person's time in the channel. */
function only(messageId: number): Interval {
  return { after: messageId - 1, upTo: messageId };
}

function inOrder(events: readonly Row[]): Row[] {
  return [...events].sort((a, b) => (numberOf(a, "id") ?? 0) - (numberOf(b, "id") ?? 0));
}

function preferencesOf(row: Row): SourceSubscription["preferences"] {
  const color = textOf(row, "color");
  return {
    color: color && COLOR.test(color) ? color.toLowerCase() : null,
    isMuted: flagOf(row, "is_muted") || row.in_home_view === false,
    isPinned: flagOf(row, "pin_to_top"),
    desktopNotifications: choiceOf(row, "desktop_notifications"),
    audibleNotifications: choiceOf(row, "audible_notifications"),
    pushNotifications: choiceOf(row, "push_notifications"),
    emailNotifications: choiceOf(row, "email_notifications"),
    wildcardMentionsNotify: choiceOf(row, "wildcard_mentions_notify"),
  };
}
