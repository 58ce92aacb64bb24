import type { Position } from "../../../api/ids.ts";

/** Who receives an event, decided at its place in the log. Rooms add kinds of their own (see `AudienceRule`). */
export type Audience = { to: string } & Record<string, unknown>;

/** A wire event without its id: the id is the position, known at the commit. */
export type EventPayload = { type: string } & Record<string, unknown>;

/** What an event changes in the nodes' memory, by the name of the slice that applies it. */
export type StatePatch = Record<string, unknown>;

/** One wire event in one variant: written once, pointed to by every queue that gets it. */
export interface Delivery {
  position: Position;
  json: string;
}

/** One place in an organization's log. Entries are shared by all queues of the node; nothing changes them. */
export interface LogEntry<P extends EventPayload = EventPayload> {
  position: Position;
  payload: P;
  audience: Audience;
  statePatch: StatePatch | undefined;
  /** The variants written so far, by a number that the event's writer chooses. */
  variants: Delivery[];
  /** Variants that only some recipients get (flags, local echo), by text. */
  rareVariants: Map<string, Delivery> | undefined;
}

export function logEntry<P extends EventPayload>(
  position: Position,
  payload: P,
  audience: Audience,
  statePatch?: StatePatch,
): LogEntry<P> {
  return { position, payload, audience, statePatch: statePatch, variants: [], rareVariants: undefined };
}

export const everyone: Audience = { to: "everyone" };
/** For changes of the nodes' memory that no client hears of. */
export const nobody: Audience = { to: "nobody" };

export function toUsers(userIds: Iterable<number>): Audience {
  return { to: "users", userIds: [...userIds] };
}
