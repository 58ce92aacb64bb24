import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { EntryDispatcher } from "../log/log-parts.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { asAppended } from "./event-variant.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";
import type { AudienceRule, EventSerializer, QueueParts, ReplayFilter } from "./queue-parts.ts";

/** Passes log entries to the queues of their audience, in the form that each queue asked for. */
export class Dispatcher implements EntryDispatcher {
  readonly replayFilters: readonly ReplayFilter[];
  readonly #audiences: ReadonlyMap<string, AudienceRule>;
  readonly #serializers: ReadonlyMap<string, EventSerializer>;
  /** Queues with a held poll that received something since the last flush. */
  readonly #ready = new Set<Queue>();

  constructor({ audiences, serializers, replayFilters }: QueueParts) {
    this.replayFilters = replayFilters;
    this.#audiences = new Map(audiences.map((rule) => [rule.to, rule]));
    this.#serializers = new Map(serializers.map((serializer) => [serializer.type, serializer]));
  }

  dispatch(state: OrganizationState, entry: LogEntry): void {
    if (queuesOf(state).byId.size === 0) return;
    const rule = this.ruleOf(entry);
    const type = entry.payload.type;
    const serializer = this.#serializers.get(type);
    for (const queue of rule.queues(state, entry)) {
      if (queue.isCold || !queue.wants(type)) continue;
      const delivery = serializer ? serializer.serialize(state, entry, queue) : asAppended(entry);
      if (!delivery) continue;
      queue.push(delivery);
      if (queue.held) this.#ready.add(queue);
    }
  }

  /** Answers the held polls of queues that received something. One answer carries all that was applied. */
  flush(): void {
    if (this.#ready.size === 0) return;
    const ready = [...this.#ready];
    this.#ready.clear();
    for (const queue of ready) queue.release();
  }

  /** The entry's JSON for a queue, or undefined when the queue does not get it. */
  serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined {
    const serializer = this.#serializers.get(entry.payload.type);
    return serializer ? serializer.serialize(state, entry, queue) : asAppended(entry);
  }

  ruleOf(entry: LogEntry): AudienceRule {
    const rule = this.#audiences.get(entry.audience.to);
    if (!rule) throw new Error(`no audience rule for '${entry.audience.to}'`);
    return rule;
  }
}
