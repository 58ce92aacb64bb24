/**
 * The channels that a user may know of, as records in JSON. Most of such a response is the same for
 * everybody and from one request to the next. So a channel's JSON is kept with the channel, and the
 * response is only assembled here.
 */
import type { ChannelId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { canSeeChannel } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { type History, readHistories } from "../history/history.ts";
import { recentlyActive } from "../history/recently-active.ts";
import { noPreferences, presentChannel, presentPreferences } from "../present.ts";
import { listFormerChannelIds, listPreferences, type Preferences } from "../store.ts";
import { resolveNotifications } from "./notifications.ts";
import { type ListForm, type SubscriberList, subscriberList, subscribersField } from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";

export interface RecordOptions {
  subscribers: ListForm;
  /** Whether archived channels are included. */
  hasArchived: boolean;
  /** Whether the client knows null for "as the account's setting". */
  canInherit: boolean;
}

/** A channel and its data in memory, as of one moment. */
interface Seen {
  channel: Channel;
  list: SubscriberList;
  isSubscribed: boolean;
}

/**
 * Reads memory before its first await, and the rest through `tx`. Without a user: the web-public
 * channels.
 */
export async function readChannelRecords(
  state: OrganizationState,
  tx: Queryable,
  user: User | undefined,
  options: RecordOptions,
): Promise<ChannelRecords> {
  const seen = listSeen(state, user, options);
  const [historyOf, formerIds, preferences] = await Promise.all([
    readHistories(
      state,
      tx,
      seen.map(({ channel }) => channel),
    ),
    user ? listFormerChannelIds(tx, state.organizationId, user.id) : [],
    user
      ? listPreferences(
          tx,
          state.organizationId,
          seen.map(({ channel }) => channel.id),
          [user.id],
        )
      : [],
    options.subscribers === "partial" ? state.get(recentlyActive).refresh(state) : undefined,
  ]);
  return new ChannelRecords(state, user, options, seen, {
    historyOf,
    formerIds: new Set(formerIds),
    preferences: new Map(preferences.map((row) => [row.channelId, row])),
  });
}

function listSeen(state: OrganizationState, user: User | undefined, options: RecordOptions): Seen[] {
  const own = user && state.get(subscribers).channelsOf(user.id);
  const seen: Seen[] = [];
  for (const channel of state.get(channels).all()) {
    if (channel.isArchived && !options.hasArchived) continue;
    const isSubscribed = own?.has(channel.id) === true;
    if (!isSubscribed && !(user ? canSeeChannel(state, user, channel, notAsSubscriber) : channel.isWebPublic))
      continue;
    seen.push({ channel, list: subscriberList(state, channel.id), isSubscribed });
  }
  return seen;
}

const notAsSubscriber = { asSubscriber: false };

interface Rows {
  historyOf(channel: Channel): History;
  formerIds: ReadonlySet<ChannelId>;
  preferences: ReadonlyMap<ChannelId, Preferences>;
}

export class ChannelRecords {
  readonly #state: OrganizationState;
  readonly #user: User | undefined;
  readonly #options: RecordOptions;
  readonly #seen: readonly Seen[];
  readonly #rows: Rows;
  readonly #texts: ReadonlyMap<ChannelId, Texts>;

  constructor(
    state: OrganizationState,
    user: User | undefined,
    options: RecordOptions,
    seen: readonly Seen[],
    rows: Rows,
  ) {
    this.#state = state;
    this.#user = user;
    this.#options = options;
    this.#seen = seen;
    this.#rows = rows;
    this.#texts = new Map(
      seen.map(({ channel, list }) => [
        channel.id,
        textsOf(state, channel, rows.historyOf(channel), list.ids.length),
      ]),
    );
  }

  /** Every channel, without personal settings. */
  all(): RawJson {
    return keptList(
      this.#state,
      this.#seen.map((each) => this.#textsOf(each).json),
    );
  }

  /** The user's subscriptions. */
  subscribed(): RawJson {
    return list(this.#seen.filter((each) => each.isSubscribed).map((each) => this.#subscriptionJson(each)));
  }

  /** Channels that the user was once subscribed to. */
  unsubscribed(): RawJson {
    const { formerIds } = this.#rows;
    const former = this.#seen.filter((each) => !each.isSubscribed && formerIds.has(each.channel.id));
    return list(former.map((each) => this.#subscriptionJson(each)));
  }

  neverSubscribed(): RawJson {
    const { formerIds } = this.#rows;
    const never = this.#seen.filter((each) => !each.isSubscribed && !formerIds.has(each.channel.id));
    return byteList(
      never.map((each) => {
        const extended = withSubscribers(this.#textsOf(each), this.#subscribersField(each));
        extended.bytes ??= Buffer.from(extended.json);
        return extended.bytes;
      }),
    );
  }

  #subscriptionJson(seen: Seen): string {
    const { channel } = seen;
    const fields = presentPreferences(channel.id, this.#rows.preferences.get(channel.id) ?? noPreferences);
    const shown = this.#user && !this.#options.canInherit ? resolveNotifications(this.#user, fields) : fields;
    return extend(
      withSubscribers(this.#textsOf(seen), this.#subscribersField(seen)).json,
      JSON.stringify(shown).slice(1, -1),
    );
  }

  #textsOf({ channel }: Seen): Texts {
    return this.#texts.get(channel.id) as Texts;
  }

  #subscribersField({ list }: Seen): string {
    // A caller without an account may read, but may not know who is subscribed.
    return this.#user ? subscribersField(this.#state, list, this.#options.subscribers) : "";
  }
}

/** Channels as objects without personal settings, in the order given. */
export async function readChannelObjects(
  state: OrganizationState,
  listed: readonly Channel[],
  { hasDefault = false } = {},
): Promise<RawJson> {
  const counts = listed.map(({ id }) => subscriberList(state, id).ids.length);
  const historyOf = await readHistories(state, state.database, listed);
  return list(
    listed.map((channel, index) => {
      const { json } = textsOf(state, channel, historyOf(channel), counts[index] as number);
      return hasDefault ? extend(json, `"is_default":${channel.isDefault}`) : json;
    }),
  );
}

export async function readChannelObject(state: OrganizationState, channel: Channel): Promise<RawJson> {
  const count = subscriberList(state, channel.id).ids.length;
  const historyOf = await readHistories(state, state.database, [channel]);
  return new RawJson(textsOf(state, channel, historyOf(channel), count).json);
}

/** A channel in JSON. */
interface Texts {
  history: History;
  subscriberCount: number;
  json: string;
  /** A channel in JSON with the subscribers field that was last asked for. */
  extended: Extended | undefined;
}

interface Extended {
  field: string;
  json: string;
  bytes: Buffer | undefined;
}

/** A channel object is replaced when the channel changes, and its JSON with it. */
const written = new WeakMap<Channel, Texts>();

function textsOf(
  state: OrganizationState,
  channel: Channel,
  history: History,
  subscriberCount: number,
): Texts {
  const old = written.get(channel);
  if (old?.subscriberCount === subscriberCount && isEqual(old.history, history)) return old;
  const json = JSON.stringify(presentChannel(state, channel, { history, subscriberCount }));
  const texts: Texts = { history, subscriberCount, json, extended: undefined };
  written.set(channel, texts);
  return texts;
}

function withSubscribers(texts: Texts, field: string): Extended {
  if (texts.extended?.field !== field) {
    texts.extended = { field, json: extend(texts.json, field), bytes: undefined };
  }
  return texts.extended;
}

function isEqual(a: History, b: History): boolean {
  return (
    a.firstMessageId === b.firstMessageId &&
    a.isRecentlyActive === b.isRecentlyActive &&
    a.weeklyTraffic === b.weeklyTraffic
  );
}

/** An object's JSON with more fields at its end. Empty fields add nothing. */
function extend(object: string, ...fields: string[]): string {
  // One join copies once. Concatenated strings would be copied again when the whole is flattened.
  const pieces = [object.slice(0, -1)];
  for (const field of fields) if (field !== "") pieces.push(",", field);
  pieces.push("}");
  return pieces.join("");
}

function list(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(",")}]`);
}

/** For a long list that differs for each person: its parts are copied, not encoded again. */
function byteList(parts: readonly Buffer[]): RawJson {
  const bytes = Buffer.allocUnsafe(
    1 + Math.max(1, parts.length) + parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = bytes.write("[");
  for (const part of parts) {
    if (at > 1) at += bytes.write(",", at);
    at += part.copy(bytes, at);
  }
  bytes.write("]", at);
  return new RawJson(bytes);
}

/**
 * Most people see the same channels as someone before them. Each list in memory is as long as all its
 * channels.
 */
const MAX_KEPT_LISTS = 4;

const keptLists = new WeakMap<OrganizationState, { texts: readonly string[]; json: RawJson }[]>();

function keptList(state: OrganizationState, texts: readonly string[]): RawJson {
  const kept = keptLists.get(state) ?? [];
  const same = kept.find((each) => isSameList(each.texts, texts)) ?? { texts, json: list(texts) };
  keptLists.set(state, [same, ...kept.filter((each) => each !== same)].slice(0, MAX_KEPT_LISTS));
  return same.json;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
