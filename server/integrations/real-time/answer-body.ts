import type { Body } from "../../platform/http/answer.ts";
import type { Delivery } from "../../platform/log/log-entry.ts";

const HEAD = '{"result":"success","msg":"","events":[';
/** Shorter answers are written as one text. That is faster than several pieces, of which some are shared. */
const MIN_SHARED_CHARS = 4096;
/** How many lists of events are kept. Listeners who are equally far have one list. */
const MAX_SHARED = 8;
/** How long they are kept: for as long as the listeners of one flood are answered. */
const KEPT_MS = 1000;

interface Shared {
  deliveries: readonly Delivery[];
  bytes: Buffer;
}

/**
 * Writes the bodies of answered polls. The texts of events are written once and joined, not written as
 * objects. In a flood thousands of listeners get the same long list of events at nearly the same time, so
 * its bytes are kept for a moment and shared.
 */
export class AnswerBodies {
  /** The newest last. */
  #shared: Shared[] = [];
  #timer: NodeJS.Timeout | undefined;

  write(deliveries: readonly Delivery[], queueId: string): Body {
    const tail = `],"queue_id":"${queueId}"}`;
    if (charsOf(deliveries) < MIN_SHARED_CHARS) return `${HEAD}${join(deliveries)}${tail}`;
    return [this.#sharedBytes(deliveries), Buffer.from(`${tail}\n`)];
  }

  #sharedBytes(deliveries: readonly Delivery[]): Buffer {
    const known = this.#shared.findLast((each) => isSame(each.deliveries, deliveries));
    if (known) return known.bytes;
    const bytes = Buffer.from(HEAD + join(deliveries));
    if (this.#shared.length === MAX_SHARED) this.#shared.shift();
    // The queue goes on to fill its own list.
    this.#shared.push({ deliveries: [...deliveries], bytes });
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    return bytes;
  }

  #forget(): void {
    this.#shared = [];
    this.#timer = undefined;
  }
}

function charsOf(deliveries: readonly Delivery[]): number {
  let sum = 0;
  for (const { json } of deliveries) sum += json.length;
  return sum;
}

function join(deliveries: readonly Delivery[]): string {
  let events = "";
  for (const { json } of deliveries) events += events === "" ? json : `,${json}`;
  return events;
}

function isSame(one: readonly Delivery[], other: readonly Delivery[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = one.length - 1; index >= 0; index--) if (one[index] !== other[index]) return false;
  return true;
}
