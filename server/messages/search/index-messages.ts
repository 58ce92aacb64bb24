/**
 * The tail of the log: the newest messages are indexed first. If there are too many of them, the follower
 * goes on with the newest and leaves a gap, which `backlog.ts` fills.
 */
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { indexBacklog } from "./backlog.ts";
import { type Cursor, insertCursors, insertOutdated, lockCursors, updateCursors } from "./cursor-store.ts";
import { hasId, atMost as keepAtMost, union } from "./intervals.ts";
import { listChangedIds, listMessagesAfter, tidyIndexes } from "./store.ts";
import { rewriteWords, writeWords } from "./write-words.ts";

/** The messages indexed in one transaction: some tens of milliseconds. */
export const MESSAGES_AT_ONCE = 500;
/** If the log is farther ahead than this, only the newest messages are indexed at once. */
const MOST_IN_ORDER = 2000;
export const ORGANIZATIONS_AT_ONCE = 50;
/** More gaps than this become one, at the price of indexing some messages again. */
const MAX_GAPS = 200;

export interface Followed {
  /** The organizations whose index reflects their log now, apart from gaps. */
  reached: OrganizationId[];
  /** Those whose turn it was. The others wait for the next transaction. */
  taken: OrganizationId[];
  /** Those that have work for the backlog now. */
  withBacklog: OrganizationId[];
}

/**
 * Indexes the newest messages of these organizations in one transaction, and messages that changed again.
 * Small organizations share the commit: organizations are taken in turn until there are `atMost` messages.
 * Those that another transaction is indexing are passed over.
 */
export async function followLog(
  database: Database,
  organizationIds: readonly OrganizationId[],
  atMost = MESSAGES_AT_ONCE,
): Promise<Followed> {
  return database.transaction(
    async (tx) => {
      const locked = await lockOrInsert(tx, organizationIds.slice(0, ORGANIZATIONS_AT_ONCE));
      const steps = chooseSteps(locked, atMost);
      const moved = await takeSteps(tx, steps, atMost);
      const movedIds = moved.map(({ organizationId }) => organizationId);
      const waiting = new Set(
        locked
          .filter(({ organizationId, ...cursor }) => isBehind(cursor) && !movedIds.includes(organizationId))
          .map(({ organizationId }) => organizationId),
      );
      const ends = [...locked.filter((cursor) => !isBehind(cursor)), ...moved];
      return {
        reached: ends.filter((cursor) => !isBehind(cursor)).map(({ organizationId }) => organizationId),
        taken: organizationIds.slice(0, ORGANIZATIONS_AT_ONCE).filter((id) => !waiting.has(id)),
        withBacklog: moved.filter(hasBacklog).map(({ organizationId }) => organizationId),
      };
    },
    { lane: "background" },
  );
}

function isBehind({ followedTo, head }: Pick<Cursor, "followedTo" | "head">): boolean {
  return followedTo < head;
}

function hasBacklog({ gaps, prunedTo, hasOutdated }: Cursor): boolean {
  return gaps.length > 0 || prunedTo !== null || hasOutdated;
}

async function lockOrInsert(tx: Transaction, ids: readonly OrganizationId[]): Promise<Cursor[]> {
  const locked = await lockCursors(tx, ids);
  if (locked.length === ids.length) return locked;
  const present = new Set(locked.map(({ organizationId }) => organizationId));
  const others = ids.filter((id) => !present.has(id));
  await insertCursors(tx, others);
  return [...locked, ...(await lockCursors(tx, others))];
}

interface Step {
  cursor: Cursor;
  /** Messages after this position are indexed now. */
  after: Position;
}

function chooseSteps(cursors: readonly Cursor[], atMost: number): Step[] {
  const steps: Step[] = [];
  let positions = 0;
  for (const cursor of cursors) {
    const { followedTo, head } = cursor;
    if (!isBehind(cursor)) continue;
    const after = head - followedTo > MOST_IN_ORDER ? ((head - atMost) as Position) : followedTo;
    positions += Math.min(atMost, head - after);
    if (steps.length > 0 && positions > atMost) break;
    steps.push({ cursor, after });
  }
  return steps;
}

/** Returns the cursors as they are after the steps. */
async function takeSteps(tx: Transaction, steps: readonly Step[], atMost: number): Promise<Cursor[]> {
  if (steps.length === 0) return [];
  const messages = await listMessagesAfter(
    tx,
    steps.map(({ cursor, after }) => ({ organizationId: cursor.organizationId, after, upTo: cursor.head })),
    atMost,
  );
  const moved = steps.map(({ cursor, after }) => {
    const own = messages.filter(({ organizationId }) => organizationId === cursor.organizationId);
    // Positions are assigned in commit order, so a position that is missing up to here will never appear.
    const upTo = own.length < atMost ? cursor.head : (own.at(-1) as { id: Position }).id;
    const gaps = union([...cursor.gaps, { from: cursor.followedTo + 1, to: after + 1 }]);
    return { cursor, followedTo: upTo, gaps: keepAtMost(gaps, MAX_GAPS) };
  });
  const written = new Set(messages.map(({ organizationId, id }) => `${organizationId}.${id}`));
  const changed = await listChangedIds(
    tx,
    moved.map(({ cursor, followedTo }) => ({
      organizationId: cursor.organizationId,
      after: cursor.followedTo,
      upTo: followedTo,
    })),
  );
  const gapsOf = new Map(moved.map(({ cursor, gaps }) => [cursor.organizationId, gaps]));
  const again = changed.filter(
    ({ organizationId, id }) =>
      !written.has(`${organizationId}.${id}`) && !hasId(gapsOf.get(organizationId) ?? [], id),
  );
  const isMuch = again.length > MESSAGES_AT_ONCE;
  await writeWords(tx, messages);
  if (isMuch) await insertOutdated(tx, again);
  else await rewriteWords(tx, again);
  if (messages.length + again.length > 0) await tidyIndexes(tx);
  const changedIn = new Set(changed.map(({ organizationId }) => organizationId));
  const cursors = moved.map(({ cursor, followedTo, gaps }) => {
    const hasChanged = changedIn.has(cursor.organizationId);
    return {
      ...cursor,
      followedTo,
      gaps,
      prunedTo: hasChanged ? (cursor.prunedTo ?? "") : cursor.prunedTo,
      prunesAgain: cursor.prunesAgain || (hasChanged && cursor.prunedTo !== null),
      hasOutdated: cursor.hasOutdated || isMuch,
    };
  });
  await updateCursors(tx, cursors);
  return cursors;
}

/** Indexes everything, unless another node is doing so. Gaps are filled too. */
export async function indexAll(database: Database, organizationId: OrganizationId): Promise<void> {
  for (;;) {
    const { reached } = await followLog(database, [organizationId]);
    if (reached.length > 0) break;
    if (await isLockedElsewhere(database, organizationId)) return;
  }
  while (!(await indexBacklog(database, organizationId)).isDone);
}

async function isLockedElsewhere(database: Database, organizationId: OrganizationId): Promise<boolean> {
  return database.transaction(async (tx) => (await lockCursors(tx, [organizationId])).length === 0, {
    lane: "background",
  });
}
