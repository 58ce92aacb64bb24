/**
 * What no event brings: it is fetched when the section opens, after each change, on coming back, and for each
 * new model. Where answers overtake each other, the one that was asked for last counts.
 */
import { createEffect, createSignal, onCleanup, untrack } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { live } from "../ui/live.ts";

export interface Fetched<T> {
  /** undefined: not fetched yet. */
  value(): T | undefined;
  problem(): string | undefined;
  fetch(): Promise<void>;
}

export function createFetched<T>(get: () => Promise<T>): Fetched<T> {
  const [value, setValue] = createSignal<{ of: T }>();
  const [problem, setProblem] = createSignal<string>();
  const generation = live("generation", () => state.generation);
  let latest = 0;
  async function fetch(): Promise<void> {
    const mine = ++latest;
    try {
      const of = await state.track(get);
      if (mine !== latest) return;
      setValue({ of });
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (mine === latest) setProblem(error.message);
    }
  }
  const onShow = () => {
    if (document.visibilityState === "visible") void fetch();
  };
  whenBack(() => problem() !== undefined && void fetch());
  createEffect(() => {
    generation();
    untrack(() => void fetch());
  });
  document.addEventListener("visibilitychange", onShow);
  onCleanup(() => document.removeEventListener("visibilitychange", onShow));
  return { value: () => value()?.of, problem, fetch };
}
