/**
 * Requests for messages, and what has happened since each was made. An answer says how things were when the
 * server made it, which may be before events that are here already. Those are applied to it before anything
 * else sees it. An answer from before a new snapshot is dropped.
 */
import type { QueuedEvent } from "../contract.ts";
import { type MessageRecord, Messages } from "../model/messages.ts";
import { changeReaders } from "./message-changes.ts";

/** Beyond this, asking again is less work. */
const MAX_EVENTS = 2000;

/** Types of events that change messages, or which messages match a narrow. */
const collected = new Set([...Object.keys(new Messages().handlers), ...Object.keys(changeReaders)]);

type Listed = MessageRecord & { flags: readonly string[] };

interface OpenRequest {
  /** The events since the request was made that may make its answer wrong, in order. */
  readonly since: QueuedEvent[];
  /** What the answer says is not to be used. */
  isOver: boolean;
}

export interface Answer<T> extends OpenRequest {
  reply: T;
}

export class MessageRequests {
  /** Those under way, and those whose answer nobody has taken. */
  readonly #open = new Set<OpenRequest>();

  /** The answer with what came since. It goes on collecting until it is closed. */
  async ask<T>(call: () => Promise<T>): Promise<Answer<T>> {
    const request: OpenRequest = { since: [], isOver: false };
    this.#open.add(request);
    try {
      return Object.assign(request, { reply: await call() });
    } catch (error) {
      this.#open.delete(request);
      throw error;
    }
  }

  close(answer: Answer<unknown>): void {
    this.#open.delete(answer);
  }

  /** Called with each event that the model has handled. */
  note(event: QueuedEvent): void {
    if (!collected.has(event.type)) return;
    for (const request of this.#open) {
      if (request.since.length < MAX_EVENTS) request.since.push(event);
      else this.#end(request);
    }
  }

  /** After a new snapshot: its queue does not have the events since. */
  endAll(): void {
    for (const request of this.#open) this.#end(request);
  }

  #end(request: OpenRequest): void {
    request.isOver = true;
    request.since.length = 0;
    this.#open.delete(request);
  }
}

/** The messages of an answer as they are now. Deleted ones are not among them. */
export function bringUpToDate(listed: readonly Listed[], since: readonly QueuedEvent[]): Messages {
  const messages = new Messages();
  messages.add(listed);
  for (const event of since) {
    // A message that is listed was there when the server answered, with all that its event says.
    if (event.type === "message") continue;
    // Some events change only which messages match.
    const handle = messages.handlers[event.type as keyof typeof messages.handlers];
    (handle as ((event: QueuedEvent) => void) | undefined)?.(event);
  }
  return messages;
}
