/** The state of a change that is saved: what a form shows beside its cause. */
import { createSignal, Show } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { t } from "../i18n/t.ts";
import { question } from "./overlay.ts";

/** What an attempt gives when the person gave it up: nothing was saved, and nothing went wrong. */
export const GIVEN_UP = Symbol("given up");

export interface Saving {
  state(): "idle" | "saving" | "saved";
  /** Why the last attempt failed. */
  problem(): string | undefined;
  /** True: it succeeded. Attempts run in the order in which they were made. */
  run(save: () => Promise<unknown>): Promise<boolean>;
  /** For what a second press must not do again: does nothing while an attempt is on its way. */
  runOnce(save: () => Promise<unknown>): Promise<boolean>;
}

export function createSaving(): Saving {
  const [state, setState] = createSignal<"idle" | "saving" | "saved">("idle");
  const [problem, setProblem] = createSignal<string>();
  let last: Promise<unknown> = Promise.resolve();
  async function attempt(save: () => Promise<unknown>): Promise<boolean> {
    setState("saving");
    setProblem(undefined);
    try {
      const isSaved = (await save()) !== GIVEN_UP;
      setState(isSaved ? "saved" : "idle");
      return isSaved;
    } catch (error) {
      setState("idle");
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return false;
    }
  }
  function run(save: () => Promise<unknown>): Promise<boolean> {
    const mine = last.then(() => attempt(save));
    last = mine.catch(() => undefined);
    return mine;
  }
  return {
    state,
    problem,
    run,
    runOnce: (save) => (state() === "saving" ? Promise.resolve(false) : run(save)),
  };
}

/**
 * Whether a question is above the place that asks for this. Its change waits for the answer, and is not
 * being saved.
 */
export function belowQuestion(): () => boolean {
  const mine = question();
  return () => question() !== undefined && question() !== mine;
}

/** A line of fixed height that says what became of the change. */
export function SavingNote(props: { saving: Saving }) {
  const isAsked = belowQuestion();
  return (
    <p class="saving" role="status">
      <Show when={props.saving.state() !== "idle" && !isAsked()}>
        {t(props.saving.state() === "saved" ? "settings.saved" : "settings.saving")}
      </Show>
      <Show when={props.saving.problem()}>{(words) => <span class="problem">{words()}</span>}</Show>
    </p>
  );
}
