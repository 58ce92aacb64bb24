/**
 * The messages of an export, page by page, each page in short transactions: a single long one would hold back
 * the clean-up of the whole database.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelId } from "../../../api/ids.ts";
import { type ExportScope, exportScopeOf, narrowed, receivedInScope } from "../../channels/export/scope.ts";
import type { RecordsRequest } from "../../module-exports.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { listSubmessages } from "../model/submessage-store.ts";
import { listReactions } from "../query/fetch.ts";
import { messageRecord } from "./record.ts";
import { listFlagsOf, listPlaces, listPlacesNow, listTexts, type PlacedRow, type TextRow } from "./store.ts";

/** Messages whose places are read at once. */
const PAGE = 1000;
/** Messages whose texts are in memory at once. Each may have 10,000 characters. */
const TEXTS_AT_ONCE = 200;
/** How often a message is looked for again that moves while it is read. */
const MAX_MOVES = 4;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 10;

/** Those up to the head of the log at the beginning, in the scope of this moment. */
export function messageRecords(request: RecordsRequest): AsyncIterable<object> {
  return recordsFrom(request, exportScopeOf(request.state, request.type));
}

async function* recordsFrom(
  { state, type, upTo, signal, onProgress }: RecordsRequest,
  first: ExportScope,
): AsyncGenerator<object> {
  let scope = first;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    // Nothing is written that was closed or withdrawn meanwhile.
    await state.catchUp();
    scope = narrowed(scope, exportScopeOf(state, type));
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
  scope: ExportScope,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ last: number | undefined; within: readonly PlacedRow[] }> {
  const userIds = [...scope.consenting];
  const places = await listPlaces(tx, state.organizationId, { after, upTo, limit: PAGE, userIds });
  const within = await withinScope(state, tx, scope, places);
  return { last: places.length < PAGE ? undefined : places.at(-1)?.id, within };
}

/** Those of the messages that are in the scope. */
async function withinScope(
  state: OrganizationState,
  tx: Queryable,
  scope: ExportScope,
  places: readonly PlacedRow[],
): Promise<PlacedRow[]> {
  const isLimited = places.some(({ recipientId }) => scope.received.has(recipientId as ChannelId));
  const wasReceived = isLimited ? await receivedInScope(state, tx, scope) : () => false;
  return places.filter(({ id, recipientId, isDirect, isShared }) => {
    if (isDirect) return isShared;
    const channelId = recipientId as ChannelId;
    return scope.open.has(channelId) || wasReceived(channelId, id);
  });
}

/**
 * The texts of these messages. Those that moved since their places were read are looked for again, and are
 * left out where they lie in none of the scope now.
 */
async function readTexts(
  state: OrganizationState,
  tx: Queryable,
  scope: ExportScope,
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
  scope: ExportScope,
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
