/**
 * All channels of an organization as JSON, kept until something in it changes. The JSON of a channel is the
 * same for everybody who may know of it: who that is, is decided for each reader (`visible-channels.ts`).
 */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { JsonBlocks } from "../../platform/std/json-blocks.ts";
import { type Channel, channels } from "../channel.ts";
import type { Histories, History } from "../history/history.ts";
import { recentlyActive } from "../history/recently-active.ts";
import { presentChannel } from "../present.ts";
import {
  inactiveUsers,
  type ListForm,
  type SubscriberList,
  subscriberList,
  subscribersField,
} from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";

/** All channels as of one moment, in the order of memory. None of it changes. */
export interface Directory {
  channels: readonly Channel[];
  /** The active subscribers of the channels at the same places. */
  lists: readonly SubscriberList[];
  places: ReadonlyMap<ChannelId, number>;
  inactive: ReadonlySet<UserId>;
  channelsVersion: number;
  subscribersVersion: number;
}

const directories = new WeakMap<OrganizationState, Directory>();

/** The channels as of now. */
export function currentDirectory(state: OrganizationState): Directory {
  const known = directories.get(state);
  const channelsVersion = state.get(channels).version;
  const subscribersVersion = state.get(subscribers).version;
  const inactive = inactiveUsers(state);
  if (
    known?.channelsVersion === channelsVersion &&
    known.subscribersVersion === subscribersVersion &&
    known.inactive === inactive
  ) {
    return known;
  }
  const all = [...state.get(channels).all()];
  const isSame = known?.channelsVersion === channelsVersion;
  const directory: Directory = {
    // The same list, if it has not changed: what is known of its histories is known of this list.
    channels: isSame ? known.channels : all,
    lists: all.map(({ id }) => subscriberList(state, id)),
    places: isSame ? known.places : new Map(all.map(({ id }, place) => [id, place])),
    inactive,
    channelsVersion,
    subscribersVersion,
  };
  directories.set(state, directory);
  return directory;
}

/** A channel in JSON. It never changes: a change of the channel makes another one. */
export interface ChannelText {
  history: History;
  subscriberCount: number;
  json: string;
  /** The same with a list of subscribers, by the form of the list. */
  listed: Map<ListForm, ListedText>;
}

interface ListedText {
  text: ChannelText;
  field: string;
}

/** A channel object is replaced when the channel changes, and its JSON with it. */
const written = new WeakMap<Channel, ChannelText>();

export function textOf(
  state: OrganizationState,
  channel: Channel,
  history: History,
  subscriberCount: number,
): ChannelText {
  const old = written.get(channel);
  if (old?.subscriberCount === subscriberCount && isSameHistory(old.history, history)) return old;
  const json = JSON.stringify(presentChannel(state, channel, { history, subscriberCount }));
  const text: ChannelText = { history, subscriberCount, json, listed: new Map() };
  written.set(channel, text);
  return text;
}

function isSameHistory(a: History, b: History): boolean {
  return (
    a.firstMessageId === b.firstMessageId &&
    a.isRecentlyActive === b.isRecentlyActive &&
    a.weeklyTraffic === b.weeklyTraffic
  );
}

function withField(text: ChannelText, form: ListForm, field: string): ListedText {
  const old = text.listed.get(form);
  if (old?.field === field) return old;
  const listed = { text, field };
  text.listed.set(form, listed);
  return listed;
}

/** The channels of a directory in JSON, in blocks of bytes. */
export class RecordTable {
  readonly directory: Directory;
  readonly #state: OrganizationState;
  readonly #texts: readonly ChannelText[];
  /** Channels without a list of subscribers. */
  readonly plain: JsonBlocks<ChannelText>;
  readonly #listed = new Map<ListForm, { activeVersion: number; blocks: JsonBlocks<ListedText> }>();
  /** The blocks of an earlier table, until those of the form have been made. */
  readonly #former = new Map<ListForm, JsonBlocks<ListedText>>();

  constructor(
    state: OrganizationState,
    directory: Directory,
    historyOf: Histories["historyOf"],
    former?: RecordTable,
  ) {
    this.#state = state;
    this.directory = directory;
    this.#texts = directory.channels.map((channel, place) =>
      textOf(state, channel, historyOf(channel), (directory.lists[place] as SubscriberList).ids.length),
    );
    this.plain = JsonBlocks.of(this.#texts, ({ json }) => json, former?.plain);
    if (former) for (const [form, { blocks }] of former.#listed) this.#former.set(form, blocks);
  }

  /** Channels with a list of subscribers in this form. */
  listed(form: Exclude<ListForm, "false">): JsonBlocks<ListedText> {
    const activeVersion = form === "partial" ? this.#state.get(recentlyActive).version : 0;
    const known = this.#listed.get(form);
    if (known?.activeVersion === activeVersion) return known.blocks;
    const values = this.#texts.map((text, place) => {
      const list = this.directory.lists[place] as SubscriberList;
      return withField(text, form, subscribersField(this.#state, list, form));
    });
    const blocks = JsonBlocks.of(values, writeListed, known?.blocks ?? this.#former.get(form));
    this.#former.delete(form);
    this.#listed.set(form, { activeVersion, blocks });
    return blocks;
  }
}

function writeListed({ text, field }: ListedText): string {
  return `${text.json.slice(0, -1)},${field}}`;
}

interface KeptTable {
  table: RecordTable;
  historiesVersion: number;
  madeAt: number;
}

const tables = new WeakMap<OrganizationState, KeptTable>();

/** Histories change with time alone, too: see `allHistories`. In milliseconds. */
const TABLE_KEPT_MS = 10_000;

/** The table of a directory with these histories. */
export function recordTable(
  state: OrganizationState,
  directory: Directory,
  { version, historyOf }: Histories,
): RecordTable {
  const kept = tables.get(state);
  const isKept =
    version !== undefined &&
    kept?.historiesVersion === version &&
    kept.table.directory === directory &&
    Date.now() - kept.madeAt < TABLE_KEPT_MS;
  if (isKept) return kept.table;
  const table = new RecordTable(state, directory, historyOf, kept?.table);
  if (version !== undefined) tables.set(state, { table, historiesVersion: version, madeAt: Date.now() });
  return table;
}
