import type { Outcome } from "./subscribe.ts";

type NamesByUser = Record<string, string[]>;

/** Who was subscribed to each channel by a call, and who already had been (spec E2, reply). */
export function presentSubscribed(outcomes: readonly Outcome[]): {
  subscribed: NamesByUser;
  already_subscribed: NamesByUser;
} {
  return {
    subscribed: byUser(outcomes, ({ changed }) => changed),
    already_subscribed: byUser(outcomes, ({ unchanged }) => unchanged),
  };
}

/** The channels that a call unsubscribed someone from, and those that someone was not subscribed to. */
export function presentUnsubscribed(outcomes: readonly Outcome[]): {
  removed: string[];
  not_removed: string[];
} {
  return {
    removed: outcomes.filter(({ changed }) => changed.length > 0).map(({ channel }) => channel.name),
    not_removed: outcomes.filter(({ unchanged }) => unchanged.length > 0).map(({ channel }) => channel.name),
  };
}

function byUser(outcomes: readonly Outcome[], people: (outcome: Outcome) => Outcome["changed"]): NamesByUser {
  const names: NamesByUser = {};
  for (const outcome of outcomes) {
    for (const { id } of people(outcome)) {
      names[id] ??= [];
      names[id].push(outcome.channel.name);
    }
  }
  return names;
}
