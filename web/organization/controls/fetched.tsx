/** What the server is asked for when a section opens, and again when it has changed. */
import { createEffect, createSignal, type JSX, Show } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import { whenBack } from "../../shared/state/when-back.ts";

export interface Fetched<T> {
  /** undefined: it has not come yet. What came stays until the next answer. */
  value(): T | undefined;
  problem(): string | undefined;
  reload(): Promise<void>;
}

/** `version` changes with what the answer depends on. */
export function createFetched<T>(fetch: () => Promise<T>, version: () => unknown = () => 0): Fetched<T> {
  const [value, setValue] = createSignal<T>();
  const [problem, setProblem] = createSignal<string>();
  let latest = 0;
  async function reload(): Promise<void> {
    const mine = ++latest;
    try {
      const answer = await fetch();
      if (mine !== latest) return;
      setValue(() => answer);
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (mine === latest) setProblem(error.message);
    }
  }
  whenBack(() => problem() !== undefined && void reload());
  createEffect(() => {
    version();
    void reload();
  });
  return { value, problem, reload };
}

/** The children once the answer is there; until then nothing, or why it did not come. */
export function WhenFetched<T>(props: { fetched: Fetched<T>; children: (value: () => T) => JSX.Element }) {
  return (
    <>
      <Show when={props.fetched.problem()}>
        {(words) => (
          <p class="problem" role="alert">
            {words()}{" "}
            <button type="button" class="quiet" onClick={() => void props.fetched.reload()}>
              {t("feed.tryAgain")}
            </button>
          </p>
        )}
      </Show>
      <Show when={props.fetched.value() !== undefined}>
        {props.children(() => props.fetched.value() as T)}
      </Show>
    </>
  );
}
