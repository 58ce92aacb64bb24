import type { Position } from "../../../api/ids.ts";

/** Who receives an event, decided at its position in the log. Modules can add kinds (see `AudienceRule`). */
export type Audience = { to: string } & Record<string, unknown>;

/** A wire event without its id. The id is the position, which is only known at the commit. */
export type EventPayload = { type: string } & Record<string, unknown>;

/** What an event changes in the nodes' memory, by the name of the projection that applies it. */
export type StatePatch = Record<string, unknown>;

/** One wire event in one variant. It is serialized once, and every queue that receives it points to it. */
export interface Delivery {
  position: Position;
  json: string;
}

/** One position in an organization's log. All queues of the node share the entry, and nothing changes it. */
export interface LogEntry<P extends EventPayload = EventPayload> {
  position: Position;
  payload: P;
  audience: Audience;
  statePatch: StatePatch | undefined;
  /** The variants serialized so far, by a number that the event's serializer chooses. */
  variants: Delivery[];
  /** Variants that only some recipients get (flags, local echo), by a text key. */
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
/** For changes of the nodes' memory that no client receives. */
export const nobody: Audience = { to: "nobody" };

export function toUsers(userIds: Iterable<number>): Audience {
  return { to: "users", userIds: [...userIds] };
}
