import type { Position } from "../../../api/ids.ts";
import type { Delivery, Entry } from "../log/log-entry.ts";
import type { Live } from "../log/organization-state.ts";
import { readLog } from "../log/read-log.ts";
import { ruleOf, write } from "./dispatch.ts";
import { isFull, type Queue } from "./queue.ts";

const PAGE = 1000;

/**
 * What a queue hears of the log after its cursor: by audiences as they were, less what its person may no longer see. It ends
 * where `deliver` takes over, or with as much as a queue holds; `upTo` is how far it came. `checkLog` is called after each look
 * into the stored log, and throws if that does not go back to the cursor any more.
 */
export async function reread(
  live: Live,
  queue: Queue,
  checkLog: () => Promise<void>,
): Promise<{ deliveries: Delivery[]; upTo: Position }> {
  const hears = new Map<string, (entry: Entry) => boolean>();
  const deliveries: Delivery[] = [];
  let chars = 0;
  let upTo = queue.cursor;
  while (upTo < live.position) {
    const page = await readPage(live, upTo, checkLog);
    for (const entry of await recalled(live, queue, await heard(live, queue, page.entries, hears))) {
      const delivery = write(live, entry, queue);
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

async function readPage(live: Live, after: Position, checkLog: () => Promise<void>) {
  if (after >= live.recentAfter) {
    return { entries: live.recent.filter((entry) => entry.position > after), upTo: live.position };
  }
  const page = await readLog(live.database, live, after, live.position, PAGE);
  await checkLog();
  return page;
}

/** `hears` keeps what each kind of audience had to look up. */
async function heard(
  live: Live,
  queue: Queue,
  entries: readonly Entry[],
  hears: Map<string, (entry: Entry) => boolean>,
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const entry of entries) {
    if (!queue.wants(entry.payload.type)) continue;
    const { to } = entry.audience;
    const isHeard = hears.get(to) ?? (await ruleOf(live, entry).reader(live, live.database, queue));
    hears.set(to, isHeard);
    if (isHeard(entry)) found.push(entry);
  }
  return found;
}

async function recalled(live: Live, queue: Queue, entries: readonly Entry[]): Promise<readonly Entry[]> {
  let told = entries;
  for (const { types, of } of live.parts.recalls) {
    const isConcerned = ({ payload }: Entry) => types.includes(payload.type);
    const concerned = entries.filter(isConcerned);
    if (concerned.length === 0) continue;
    const recall = await of(live, live.database, queue, concerned);
    told = told.flatMap((entry) => (isConcerned(entry) ? (recall(entry) ?? []) : entry));
  }
  return told;
}
