/** Runs commands beside each other, in lanes. */
import { type Person, temporaryDirectory } from "./parley.ts";
import { type Outcome, outcomeOf, type State } from "./walk.ts";
import { allNames, wordsOf } from "./walk-words.ts";

export interface Lane {
  names: readonly string[];
  state: State | (() => State);
}

/** Runs the commands in their order, and those of different lanes beside each other. */
export async function walk(lanes: readonly Lane[]): Promise<Record<string, Outcome>> {
  const found: Record<string, Outcome> = {};
  await Promise.all(
    lanes.map(async ({ names, state }) => {
      const words = wordsOf(place(typeof state === "function" ? {} : state.person));
      for (const name of names) {
        const now = typeof state === "function" ? state() : state;
        found[name] = await outcomeOf(name, words[name] ?? [], now);
      }
    }),
  );
  return found;
}

/** So many lanes in one and the same state. */
export function inLanes<S>(count: number, state: () => S) {
  return Array.from({ length: count }, (_, lane) => ({
    names: allNames.filter((_name, index) => index % count === lane),
    state: state(),
  }));
}

export function place(person: Person = {}): string {
  return temporaryDirectory(person);
}
