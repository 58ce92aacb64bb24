import type { Position } from "../../../api/ids.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { readEntries } from "../log/read-log.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { isFull, type Queue } from "./queue.ts";

const PAGE = 1000;

/**
 * Reads what a queue receives of the log after its cursor. Audiences are those at the time of each entry,
 * without what the queue's user may no longer see. The replay ends where `dispatch` takes over, or when it
 * has as much as a queue may hold. `upTo` is the position that it reached. `checkLog` is called after each
 * read of the stored log, and throws if the log no longer goes back to the cursor.
 */
export async function replay(
  dispatcher: Dispatcher,
  state: OrganizationState,
  queue: Queue,
  checkLog: () => Promise<void>,
): Promise<{ deliveries: Delivery[]; upTo: Position }> {
  const readers = new Map<string, (entry: LogEntry) => boolean>();
  const deliveries: Delivery[] = [];
  let chars = 0;
  let upTo = queue.cursor;
  while (upTo < state.position) {
    const asked = { after: upTo, end: state.position, limit: PAGE };
    const page = await readEntries(state.database, state, asked);
    if (page.isStored) await checkLog();
    for (const entry of await filtered(
      dispatcher,
      state,
      queue,
      await forAudience(dispatcher, state, queue, page.entries, readers),
    )) {
      const delivery = dispatcher.serialize(state, entry, queue);
      if (!delivery) continue;
      chars += delivery.json.length;
      if (isFull(deliveries.length, chars)) return { deliveries, upTo };
      deliveries.push(delivery);
      upTo = entry.position;
    }
    upTo = page.upTo;
  }
  return { deliveries, upTo };
}

/** `readers` caches what each kind of audience had to look up. */
async function forAudience(
  dispatcher: Dispatcher,
  state: OrganizationState,
  queue: Queue,
  entries: readonly LogEntry[],
  readers: Map<string, (entry: LogEntry) => boolean>,
): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  for (const entry of entries) {
    if (!queue.wants(entry.payload.type)) continue;
    const { to } = entry.audience;
    const reads = readers.get(to) ?? (await dispatcher.ruleOf(entry).reader(state, state.database, queue));
    readers.set(to, reads);
    if (reads(entry)) found.push(entry);
  }
  return found;
}

async function filtered(
  dispatcher: Dispatcher,
  state: OrganizationState,
  queue: Queue,
  entries: readonly LogEntry[],
): Promise<readonly LogEntry[]> {
  let kept = entries;
  for (const { types, filterFor } of dispatcher.replayFilters) {
    const isConcerned = ({ payload }: LogEntry) => types.includes(payload.type);
    const concerned = entries.filter(isConcerned);
    if (concerned.length === 0) continue;
    const filter = await filterFor(state, state.database, queue, concerned);
    kept = kept.flatMap((entry) => (isConcerned(entry) ? (filter(entry) ?? []) : entry));
  }
  return kept;
}
