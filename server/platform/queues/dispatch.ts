import type { UserId } from "../../../api/ids.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { AudienceRule } from "../log/projection.ts";
import type { Queue } from "./queue.ts";

/** Hands an entry to every queue of this node that hears it; the queues with a held poll are added to `touched`. */
export function dispatch(state: OrganizationState, entry: LogEntry, touched: Set<Queue>): void {
  if (state.queues.size === 0) return;
  const rule = ruleOf(state, entry);
  const type = entry.payload.type;
  const writer = state.parts.serializers.get(type);
  for (const queue of rule.queues(state, entry)) {
    if (queue.isCold || !queue.wants(type)) continue;
    const delivery = writer ? writer.serialize(state, entry, queue) : plain(entry);
    if (!delivery) continue;
    queue.push(delivery);
    if (queue.held) touched.add(queue);
  }
}

/** The entry's JSON for a queue, or undefined when the queue does not get it. */
export function serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined {
  const writer = state.parts.serializers.get(entry.payload.type);
  return writer ? writer.serialize(state, entry, queue) : plain(entry);
}

function plain(entry: LogEntry): Delivery {
  return variant(entry, 0, () => entry.payload);
}

/** Writes a variant of an entry's JSON once, however many queues get it. */
export function variant(entry: LogEntry, number: number, payload: () => Record<string, unknown>): Delivery {
  let delivery = entry.variants[number];
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.variants[number] = delivery;
  }
  return delivery;
}

/** The same for a variant that only some recipients get, told apart by a text. */
export function rareVariant(entry: LogEntry, key: string, payload: () => Record<string, unknown>): Delivery {
  entry.rareVariants ??= new Map();
  let delivery = entry.rareVariants.get(key);
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.rareVariants.set(key, delivery);
  }
  return delivery;
}

export function ruleOf(state: OrganizationState, entry: LogEntry): AudienceRule {
  const rule = state.parts.audiences.get(entry.audience.to);
  if (!rule) throw new Error(`no audience rule for '${entry.audience.to}'`);
  return rule;
}

/** The audiences that need no knowledge of any subject. */
export const plainAudiences: readonly AudienceRule[] = [
  {
    to: "everyone",
    queues: (state) => state.queues.values(),
    reader: async () => () => true,
  },
  {
    to: "nobody",
    queues: () => [],
    reader: async () => () => false,
  },
  {
    to: "users",
    *queues(state, entry) {
      for (const userId of entry.audience.userIds as UserId[]) yield* state.queuesOfUser.get(userId) ?? [];
    },
    reader: async (_state, _tx, queue) => (entry) =>
      (entry.audience.userIds as UserId[]).includes(queue.userId),
  },
];
