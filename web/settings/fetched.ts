/** What no event brings: it is fetched when the section opens, after each change, and on coming back. */
import { createSignal, onCleanup, onMount } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { state } from "../app/state/state.ts";
import { whenBack } from "../app/state/when-back.ts";

export interface Fetched<T> {
  /** undefined: not fetched yet. */
  value(): T | undefined;
  problem(): string | undefined;
  fetch(): Promise<void>;
}

export function createFetched<T>(get: () => Promise<T>): Fetched<T> {
  const [value, setValue] = createSignal<{ of: T }>();
  const [problem, setProblem] = createSignal<string>();
  async function fetch(): Promise<void> {
    try {
      const of = await state.track(get);
      setValue({ of });
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  }
  const onShow = () => {
    if (document.visibilityState === "visible") void fetch();
  };
  whenBack(() => problem() !== undefined && void fetch());
  onMount(() => void fetch());
  document.addEventListener("visibilitychange", onShow);
  onCleanup(() => document.removeEventListener("visibilitychange", onShow));
  return { value: () => value()?.of, problem, fetch };
}
