/** Which backups stay. The newest always does. */
import type { KeepRule } from "./keep-rule.ts";
import { deleteChunk, deleteUntil, listChunks, listStreams, parseLocation } from "./log-chunks.ts";
import { deleteManifest, listBackups, type Manifest, readList, type StoredList } from "./manifest.ts";
import { deletePiece, listPieces } from "./pieces.ts";
import type { BackupTarget } from "./target.ts";

const DAY_MS = 24 * 3600 * 1000;

/** The backups that stay, the oldest first. A day, week or month without a backup does not count. */
export function chooseKept<B extends Pick<Manifest, "id" | "finishedAt">>(
  backups: readonly B[],
  { days, weeks, months }: KeepRule,
): B[] {
  const kept = new Set<B>(backups.slice(-1));
  const newestFirst = [...backups].reverse();
  for (const [count, periodOf] of [
    [days, dayOf],
    [weeks, weekOf],
    [months, (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()],
  ] as const) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periodOf(new Date(backup.finishedAt));
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return backups.filter((backup) => kept.has(backup));
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Weeks begin on Mondays, and the first of January 1970 was a Thursday. */
function weekOf(at: Date): number {
  return Math.floor((dayOf(at) + 3) / 7);
}

/**
 * Deletes the backups that the rule does not keep, and then the pieces that no backup has. Returns the ids
 * of the backups. To be called while no backup is being made.
 */
export async function deleteOldBackups(target: BackupTarget, rule: KeepRule): Promise<string[]> {
  const backups = await listBackups(target);
  const kept = chooseKept(backups, rule);
  const deleted = backups.filter((backup) => !kept.includes(backup));
  if (deleted.length === 0) return [];
  // All lists are read before anything is deleted. One that is damaged keeps every piece where it is.
  const used = new Set<string>();
  for (const { database, files } of kept) {
    await notePieces(target, database, used);
    await notePieces(target, files, used);
  }
  await deleteOldLog(target, kept, rule);
  for (const { id } of deleted) await deleteManifest(target, id);
  for await (const name of listPieces(target)) if (!used.has(name)) await deletePiece(target, name);
  return deleted.map(({ id }) => id);
}

/** The log stays for as many days as daily backups do: from the oldest backup of these days on. */
async function deleteOldLog(
  target: BackupTarget,
  kept: readonly Manifest[],
  { days }: KeepRule,
): Promise<void> {
  const newestAt = Date.parse(kept.at(-1)?.finishedAt ?? "");
  const from = new Map<string, bigint>();
  for (const { log, startLocation, finishedAt } of kept) {
    if (log === undefined || newestAt - Date.parse(finishedAt) > days * DAY_MS) continue;
    const start = parseLocation(startLocation);
    if (start < (from.get(log) ?? start + 1n)) from.set(log, start);
  }
  for (const stream of await listStreams(target)) {
    const start = from.get(stream);
    for (const chunk of await listChunks(target, stream))
      if (start === undefined || chunk.end <= start) await deleteChunk(target, chunk);
    if (start === undefined) await deleteUntil(target, stream);
  }
}

async function notePieces(target: BackupTarget, list: StoredList, used: Set<string>): Promise<void> {
  for (const name of list.pieces) used.add(name);
  for await (const { pieces = [] } of readList<{ pieces?: string[] }>(target, list))
    for (const name of pieces) used.add(name);
}
