import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { EntryDispatcher } from "../log/log-parts.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { asAppended } from "./event-variant.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";
import type { AudienceRule, EventSerializer, QueueParts, ReaderFilter, ReplayFilter } from "./queue-parts.ts";

/** How long polls are answered before other requests get their turn. */
const SLICE_MS = 4;
/** The clock is read after this many answers. */
const CLOCK_EVERY = 8;

/** Passes log entries to the queues of their audience, in the form that each queue asked for. */
export class Dispatcher implements EntryDispatcher {
  readonly replayFilters: readonly ReplayFilter[];
  readonly #audiences: ReadonlyMap<string, AudienceRule>;
  readonly #serializers: ReadonlyMap<string, EventSerializer>;
  readonly #readerFilter: ReaderFilter | undefined;
  /** Queues with a held poll that received something, in the order in which they are answered. */
  readonly #ready: Queue[] = [];
  #isAnswering = false;
  #delivered = 0;

  constructor({ audiences, serializers, replayFilters, readerFilter }: QueueParts) {
    this.replayFilters = replayFilters;
    this.#readerFilter = readerFilter;
    this.#audiences = new Map(audiences.map((rule) => [rule.to, rule]));
    this.#serializers = new Map(serializers.map((serializer) => [serializer.type, serializer]));
  }

  /** How many events were put into queues since the start. What was read from the log again is not in it. */
  get delivered(): number {
    return this.#delivered;
  }

  dispatch(state: OrganizationState, entry: LogEntry): void {
    if (queuesOf(state).byId.size === 0) return;
    const rule = this.ruleOf(entry);
    const type = entry.payload.type;
    const serializer = this.#serializers.get(type);
    const readerFilter = this.#neededFilter(state);
    for (const queue of rule.queues(state, entry)) {
      if (queue.isCold || !queue.wants(type)) continue;
      const written = serializer ? serializer.serialize(state, entry, queue) : asAppended(entry);
      const delivery =
        written && readerFilter ? readerFilter.filter(state, entry, written, queue, false) : written;
      if (!delivery) continue;
      queue.push(delivery);
      this.#delivered++;
      if (!queue.held || queue.isReady) continue;
      queue.isReady = true;
      this.#ready.push(queue);
    }
  }

  /**
   * Starts to answer the held polls of queues that received something, and returns at once. So a sender is
   * answered before the listeners, and a thousand listeners do not keep other requests waiting: after each
   * slice the event loop turns. An answer carries all that has arrived by then.
   */
  flush(): void {
    if (this.#isAnswering || this.#ready.length === 0) return;
    this.#isAnswering = true;
    setImmediate(() => this.#answerSlice());
  }

  #answerSlice(): void {
    const endsAt = performance.now() + SLICE_MS;
    let count = 0;
    do {
      const queue = this.#ready[count++] as Queue;
      queue.isReady = false;
      queue.release();
    } while (count < this.#ready.length && (count % CLOCK_EVERY !== 0 || performance.now() < endsAt));
    this.#ready.splice(0, count);
    this.#isAnswering = false;
    this.flush();
  }

  /** For a replay: the entry's JSON for a queue, or undefined when the queue does not get it. */
  serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined {
    const serializer = this.#serializers.get(entry.payload.type);
    const written = serializer ? serializer.serialize(state, entry, queue) : asAppended(entry);
    const readerFilter = this.#neededFilter(state);
    return written && readerFilter ? readerFilter.filter(state, entry, written, queue, true) : written;
  }

  #neededFilter(state: OrganizationState): ReaderFilter | undefined {
    return this.#readerFilter?.isNeeded(state) ? this.#readerFilter : undefined;
  }

  ruleOf(entry: LogEntry): AudienceRule {
    const rule = this.#audiences.get(entry.audience.to);
    if (!rule) throw new Error(`no audience rule for '${entry.audience.to}'`);
    return rule;
  }
}
