/**
 * Writes an export to a file: the same for the job and for the command line. What the nodes keep in memory is
 * written as it is at the beginning. Messages are read page by page, up to the head of the log at the
 * beginning, each page in a short transaction: a single long one would hold back the clean-up of the whole
 * database.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ExportType, exportTypes } from "../../../api/administration/exports.ts";
import type { ChannelId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { customEmoji } from "../../content/emoji/custom-emoji.ts";
import { linkifiers } from "../../content/linkifiers/linkifier.ts";
import { presentLinkifier } from "../../content/linkifiers/present.ts";
import { playgrounds } from "../../content/playgrounds/playgrounds.ts";
import { presentPlayground } from "../../content/playgrounds/present.ts";
import { groups } from "../../groups/group.ts";
import { listSubmessages } from "../../messages/model/submessages.ts";
import { listReactions } from "../../messages/query/fetch.ts";
import { allowedDomains } from "../../organization/allowed-emails/allowed-domains.ts";
import { presentDomain } from "../../organization/allowed-emails/present.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { presentField } from "../../profiles/profile-fields/present.ts";
import { readProfileData } from "../../profiles/profile-fields/profile-data.ts";
import { profileFields } from "../../profiles/profile-fields/profile-fields.ts";
import { serverVersion } from "../../version.ts";
import { Archive, RecordFiles } from "./archive.ts";
import {
  findHead,
  listCurrentSubscriptions,
  listEndedSubscriptions,
  listFlagsOf,
  listFolderRows,
  listPlaces,
  listPlacesNow,
  listTexts,
  type PlacedRow,
  type TextRow,
} from "./content-store.ts";
import { writeFiles } from "./files.ts";
import {
  channelRecord,
  emojiRecord,
  folderRecord,
  groupRecord,
  messageRecord,
  organizationRecord,
  userRecord,
} from "./records.ts";
import { narrowed, type Scope, scopeOf, withinScope } from "./scope.ts";

export const FORMAT_VERSION = 1;
/** Messages whose places are read at once. */
const PAGE = 1000;
/** Messages whose texts are in memory at once. Each may have 10,000 characters. */
const TEXTS_AT_ONCE = 200;
/** How often a message is looked for again that moves while it is read. */
const MAX_MOVES = 4;
/** People whose profiles are read at once. */
const PROFILES_AT_ONCE = 1000;
/** People whose ended subscriptions are read at once. */
const PEOPLE_AT_ONCE = 200;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 10;

export interface ExportRequest {
  type: ExportType;
  /** Who asked for it. undefined: the server's operator. */
  reader: User | undefined;
  /** Where the pictures of emoji and other files lie. */
  files: FileStorage;
  signal?: AbortSignal;
  /** Called between pages, with how much is done in percent. What it throws ends the export. */
  onProgress?(percent: number): void | Promise<void>;
}

/** Writes the file at a path where there is none yet. If that fails, it deletes what it wrote. */
export async function writeExport(
  state: OrganizationState,
  path: string,
  request: ExportRequest,
): Promise<{ messages: number }> {
  const archive = await Archive.create(path);
  try {
    const counts = await writeAll(state, archive, request);
    await archive.finish();
    return { messages: counts.messages ?? 0 };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function writeAll(
  state: OrganizationState,
  archive: Archive,
  request: ExportRequest,
): Promise<Record<string, number>> {
  await state.catchUp();
  const scope = scopeOf(state, request.type);
  const upTo = await read(state, (tx) => findHead(tx, state.organizationId));
  const format = {
    format: "parley-export",
    version: FORMAT_VERSION,
    export_type: request.type === exportTypes.public ? "public" : "full_with_consent",
    exported_at: Math.floor(Date.now() / 1000),
    server_version: serverVersion,
    last_message_id: upTo,
  };
  await archive.add("format.json", lineOf(format));

  const counts: Record<string, number> = {};
  for (const [kind, records] of recordsOf(state, scope, request, upTo)) {
    const files = new RecordFiles(archive, kind);
    for await (const record of records) await files.add(record);
    await files.end();
    counts[kind] = files.count;
  }
  counts.files = await writeFiles(archive, request.files, state, { scope, signal: request.signal });
  await archive.add("complete.json", lineOf({ counts }));
  return counts;
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

type Records = Iterable<object> | AsyncIterable<object>;

/** The kinds of records, in the order in which an import can read them. */
function* recordsOf(
  state: OrganizationState,
  scope: Scope,
  request: ExportRequest,
  upTo: number,
): Generator<[kind: string, records: Records]> {
  const included = [...state.get(channels).all()].filter(
    ({ id }) => scope.open.has(id) || scope.received.has(id),
  );
  yield ["organization", [organizationRecord(state)]];
  yield ["domains", [...state.get(allowedDomains).values()].map(presentDomain)];
  yield ["linkifiers", state.get(linkifiers).rows.map(presentLinkifier)];
  yield ["playgrounds", state.get(playgrounds).rows.map(presentPlayground)];
  yield ["profile_fields", state.get(profileFields).all.map(presentField)];
  yield ["users", userRecords(state, request.reader)];
  yield ["groups", [...state.get(groups).all()].map(groupRecord)];
  yield ["channel_folders", folderRecords(state)];
  yield ["channels", included.map(channelRecord)];
  yield ["subscriptions", subscriptionRecords(state, included)];
  yield ["ended_subscriptions", endedSubscriptionRecords(state, included)];
  yield ["emoji", [...state.get(customEmoji).byId.values()].map(emojiRecord)];
  yield ["messages", messageRecords(state, scope, request, upTo)];
}

async function* userRecords(state: OrganizationState, reader: User | undefined): AsyncGenerator<object> {
  const all = [...state.get(users).byId.values()];
  for (let start = 0; start < all.length; start += PROFILES_AT_ONCE) {
    const some = all.slice(start, start + PROFILES_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const profiles = await read(state, (tx) => readProfileData(state, tx, ids));
    for (const user of some) yield userRecord(user, profiles.get(user.id), reader);
  }
}

async function* folderRecords(state: OrganizationState): AsyncGenerator<object> {
  const folders = await read(state, (tx) => listFolderRows(tx, state.organizationId));
  yield* folders.map(folderRecord);
}

async function* subscriptionRecords(
  state: OrganizationState,
  included: readonly { id: ChannelId }[],
): AsyncGenerator<object> {
  for (const { id } of included) {
    const rows = await read(state, (tx) => listCurrentSubscriptions(tx, state.organizationId, id));
    for (const { userId, since } of rows) yield { channel_id: id, user_id: userId, since };
  }
}

async function* endedSubscriptionRecords(
  state: OrganizationState,
  included: readonly { id: ChannelId }[],
): AsyncGenerator<object> {
  const channelIds = included.map(({ id }) => id);
  const people = [...state.get(users).byId.keys()];
  for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE) {
    const some = people.slice(start, start + PEOPLE_AT_ONCE);
    const rows = await read(state, (tx) =>
      listEndedSubscriptions(tx, state.organizationId, channelIds, some),
    );
    for (const { channelId, userId, since, until } of rows) {
      yield { channel_id: channelId, user_id: userId, since, until };
    }
  }
}

async function* messageRecords(
  state: OrganizationState,
  first: Scope,
  { type, signal, onProgress }: ExportRequest,
  upTo: number,
): AsyncGenerator<object> {
  let scope = first;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    // Nothing is written that was closed or withdrawn meanwhile.
    await state.catchUp();
    scope = narrowed(scope, scopeOf(state, type));
    const { last, within } = await read(state, (tx) => readPlaces(state, tx, scope, { after, upTo }));
    for (let start = 0; start < within.length; start += TEXTS_AT_ONCE) {
      const some = within.slice(start, start + TEXTS_AT_ONCE);
      yield* await read(state, (tx) => readMessages(state, tx, scope, some));
    }
    if (last === undefined) break;
    after = last;
    await onProgress?.(Math.floor((100 * after) / upTo));
    await sleep(PAUSE_MS);
  }
}

/** The messages of the next page that are in the scope. `last`: where the page after it begins, if any. */
async function readPlaces(
  state: OrganizationState,
  tx: Queryable,
  scope: Scope,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ last: number | undefined; within: readonly PlacedRow[] }> {
  const userIds = [...scope.consenting];
  const places = await listPlaces(tx, state.organizationId, { after, upTo, limit: PAGE, userIds });
  const within = await withinScope(state, tx, scope, places);
  return { last: places.length < PAGE ? undefined : places.at(-1)?.id, within };
}

/**
 * The texts of these messages. Those that moved since their places were read are looked for again, and are
 * left out where they lie in none of the scope now.
 */
async function readTexts(
  state: OrganizationState,
  tx: Queryable,
  scope: Scope,
  places: readonly PlacedRow[],
): Promise<TextRow[]> {
  const { organizationId } = state;
  const texts: TextRow[] = [];
  let missing = places;
  for (let tries = 0; missing.length > 0 && tries < MAX_MOVES; tries++) {
    const found = await listTexts(tx, organizationId, missing);
    texts.push(...found);
    const foundIds = new Set(found.map(({ id }) => id));
    const ids = missing.map(({ id }) => id).filter((id) => !foundIds.has(id));
    if (ids.length === 0) break;
    const now = await listPlacesNow(tx, organizationId, { ids, userIds: [...scope.consenting] });
    missing = await withinScope(state, tx, scope, now);
  }
  return texts.sort((a, b) => a.id - b.id);
}

async function readMessages(
  state: OrganizationState,
  tx: Queryable,
  scope: Scope,
  places: readonly PlacedRow[],
): Promise<object[]> {
  const { organizationId } = state;
  const texts = await readTexts(state, tx, scope, places);
  const ids = texts.map(({ id }) => id);
  const consenting = [...scope.consenting];
  const [reactions, submessages, flags] = await Promise.all([
    listReactions(tx, organizationId, ids),
    listSubmessages(tx, organizationId, ids),
    consenting.length > 0 ? listFlagsOf(tx, organizationId, ids, consenting) : [],
  ]);
  const [reactionsOf, submessagesOf, flagsOf] = [
    byMessage(reactions),
    byMessage(submessages),
    byMessage(flags),
  ];
  return texts.map((row) =>
    messageRecord(row, {
      reactions: reactionsOf.get(row.id) ?? [],
      submessages: submessagesOf.get(row.id) ?? [],
      flags: flagsOf.get(row.id) ?? [],
    }),
  );
}

function byMessage<Row extends { messageId: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const lists = new Map<number, Row[]>();
  for (const row of rows) pushTo(lists, row.messageId, row);
  return lists;
}

function read<T>({ database }: OrganizationState, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(work, { lane: "background" });
}
