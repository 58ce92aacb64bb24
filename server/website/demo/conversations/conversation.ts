import type { CastName, ChannelName } from "../cast.ts";

/** Who says what, who reacted with which emoji, and what else people did with the message. */
export type Line = readonly [
  from: CastName,
  text: string,
  reactions?: Readonly<Record<string, readonly CastName[]>>,
  interactions?: Interactions,
];

export interface Interactions {
  /** The voters of each answer of a poll, in the order of the answers. */
  votes?: readonly (readonly CastName[])[];
  /** The numbers of the tasks that the author has ticked off. */
  done?: readonly number[];
  starredBy?: readonly CastName[];
}

export interface Conversation {
  to: { channel: ChannelName; topic: string } | { people: readonly CastName[] };
  /** When its first message was sent: on an earlier working day, or so many minutes ago. */
  at: { daysAgo: number; time: string } | { minutesAgo: number };
  lines: readonly Line[];
}

export function on(daysAgo: number, time: string): Conversation["at"] {
  return { daysAgo, time };
}

export function minutesAgo(minutes: number): Conversation["at"] {
  return { minutesAgo: minutes };
}

export function inTopic(
  channel: ChannelName,
  topic: string,
  at: Conversation["at"],
  lines: readonly Line[],
): Conversation {
  return { to: { channel, topic }, at, lines };
}

export function among(
  people: readonly CastName[],
  at: Conversation["at"],
  lines: readonly Line[],
): Conversation {
  return { to: { people }, at, lines };
}
