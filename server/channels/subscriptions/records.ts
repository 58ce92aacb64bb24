/**
 * The channels that a user may know of, as records in JSON. Most of such a response is the same for
 * everybody and from one request to the next. So all channels are kept as JSON (`record-table.ts`), and the
 * response is only assembled here.
 */
import type { ChannelId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { personalReader, type ReadPersonal } from "../../platform/db/personal-rows.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import type { Channel } from "../channel.ts";
import { allHistories, readHistories } from "../history/history.ts";
import { recentlyActive } from "../history/recently-active.ts";
import { noPreferences, presentPreferences } from "../present.ts";
import { formerChannels, ownPreferences, type Preferences } from "../store.ts";
import { resolveNotifications } from "./notifications.ts";
import { currentDirectory, type RecordTable, recordTable, textOf } from "./record-table.ts";
import { type ListForm, subscriberList } from "./subscriber-lists.ts";
import { findStandings, placeOf, standings } from "./visible-channels.ts";

export interface RecordOptions {
  subscribers: ListForm;
  /** Whether archived channels are included. */
  hasArchived: boolean;
  /** Whether the client knows null for "as the account's setting". */
  canInherit: boolean;
}

/**
 * Reads memory before its first await, and the rest through `tx`, what is the user's own by `own`. Without a
 * user: the web-public channels.
 */
export async function readChannelRecords(
  state: OrganizationState,
  tx: Queryable,
  user: User | undefined,
  options: RecordOptions,
  own: ReadPersonal = personalReader(tx, state.organizationId, user?.id ?? null),
): Promise<ChannelRecords> {
  const directory = currentDirectory(state);
  const found = findStandings(state, directory, user, options);
  const [table, former, preferences] = await Promise.all([
    allHistories(state, tx, directory.channels).then((histories) => recordTable(state, directory, histories)),
    user ? own(formerChannels) : [],
    user ? own(ownPreferences) : [],
    options.subscribers === "partial" ? state.get(recentlyActive).refresh(state) : undefined,
  ]);
  for (const { id } of former) {
    const place = placeOf(directory, id);
    if (place !== undefined && found[place] === standings.neverSubscribed)
      found[place] = standings.unsubscribed;
  }
  return new ChannelRecords(table, found, new Map(preferences.map((row) => [row.channelId, row])), {
    ...options,
    user,
  });
}

type Reader = RecordOptions & { user: User | undefined };

export class ChannelRecords {
  readonly #table: RecordTable;
  /** See `findStandings`; with those that the reader has left. */
  readonly #standings: Uint8Array;
  readonly #preferences: ReadonlyMap<ChannelId, Preferences>;
  readonly #reader: Reader;

  constructor(
    table: RecordTable,
    found: Uint8Array,
    preferences: ReadonlyMap<ChannelId, Preferences>,
    reader: Reader,
  ) {
    this.#table = table;
    this.#standings = found;
    this.#preferences = preferences;
    this.#reader = reader;
  }

  /** Every channel, without personal settings. */
  all(): RawJson {
    return this.#table.plain.listOf((place) => this.#standings[place] !== standings.hidden);
  }

  /** The user's subscriptions. */
  subscribed(): RawJson {
    return this.#listWithSettings(standings.subscribed);
  }

  /** Channels that the user was once subscribed to. */
  unsubscribed(): RawJson {
    return this.#listWithSettings(standings.unsubscribed);
  }

  neverSubscribed(): RawJson {
    return this.#blocks.listOf((place) => this.#standings[place] === standings.neverSubscribed);
  }

  /** A caller without an account may read, but may not know who is subscribed. */
  get #blocks() {
    const { user, subscribers } = this.#reader;
    return user && subscribers !== "false" ? this.#table.listed(subscribers) : this.#table.plain;
  }

  #listWithSettings(standing: number): RawJson {
    const records: (readonly [Buffer, string])[] = [];
    const blocks = this.#blocks;
    let length = 1;
    for (const [place, { id }] of this.#table.directory.channels.entries()) {
      if (this.#standings[place] !== standing) continue;
      const record = blocks.at(place);
      const settings = this.#settingsJson(id);
      records.push([record, settings]);
      length += record.length + Buffer.byteLength(settings);
    }
    if (records.length === 0) return new RawJson("[]");
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const [record, settings] of records) {
      at += bytes.write(at === 0 ? "[" : ",", at, "latin1");
      // The settings are more fields of the same object.
      at += record.copy(bytes, at, 0, record.length - 1);
      at += bytes.write(settings, at);
    }
    bytes.write("]", at, "latin1");
    return new RawJson(bytes);
  }

  /** With a comma in front, and the end of the object behind. */
  #settingsJson(channelId: ChannelId): string {
    const { user, canInherit } = this.#reader;
    const fields = presentPreferences(channelId, this.#preferences.get(channelId) ?? noPreferences);
    const shown = user && !canInherit ? resolveNotifications(user, fields) : fields;
    return `,${JSON.stringify(shown).slice(1)}`;
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
  const texts = listed.map((channel, index) => {
    const { json } = textOf(state, channel, historyOf(channel), counts[index] as number);
    return hasDefault ? `${json.slice(0, -1)},"is_default":${channel.isDefault}}` : json;
  });
  return new RawJson(`[${texts.join(",")}]`);
}

export async function readChannelObject(state: OrganizationState, channel: Channel): Promise<RawJson> {
  const count = subscriberList(state, channel.id).ids.length;
  const historyOf = await readHistories(state, state.database, [channel]);
  return new RawJson(textOf(state, channel, historyOf(channel), count).json);
}
