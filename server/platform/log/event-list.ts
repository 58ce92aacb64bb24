import type { EventDeclaration } from "../../../api/event.ts";
import type { Audience, EventPayload, StatePatch } from "./log-entry.ts";
import { isBinding, type LogParts } from "./log-parts.ts";
import type { NewEvent } from "./store.ts";
import type { StoredEvent, StoredFields } from "./stored-event.ts";

/** Where a change announces what it does. */
export interface EventSink {
  /**
   * Announces what the transaction does. The event's declaration gives the types of `fields`. `patches`, made
   * by `patchOf`, change the memory of all nodes.
   */
  append<E extends EventDeclaration | StoredEvent<object>>(
    event: E,
    fields: StoredFields<E>,
    audience: Audience,
    ...patches: readonly StatePatch[]
  ): void;
}

/** The events of one change, in their order. */
export class EventList implements EventSink {
  readonly events: NewEvent[] = [];
  readonly #parts: Pick<LogParts, "advisoryProjections">;

  constructor(parts: Pick<LogParts, "advisoryProjections">) {
    this.#parts = parts;
  }

  append<E extends EventDeclaration | StoredEvent<object>>(
    { type, op }: E,
    fields: StoredFields<E>,
    audience: Audience,
    ...patches: readonly StatePatch[]
  ): void {
    this.add(payloadOf(type, op, fields as object), audience, patches);
  }

  add(payload: EventPayload, audience: Audience, patches: readonly StatePatch[]): void {
    const statePatch = patches.length === 0 ? undefined : Object.assign({}, ...patches);
    const binds = statePatch !== undefined && isBinding(this.#parts, statePatch);
    this.events.push({ payload, audience, statePatch, isBinding: binds });
  }
}

export function payloadOf(type: string, op: string | undefined, fields: object): EventPayload {
  return { type, ...(op !== undefined && { op }), ...fields };
}
