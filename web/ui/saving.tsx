/** The state of a change that is saved: what a form shows beside its cause. */
import { createSignal, Show } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { t } from "../i18n/t.ts";

export interface Saving {
  state(): "idle" | "saving" | "saved";
  /** Why the last attempt failed. */
  problem(): string | undefined;
  /** True: it succeeded. Attempts run in the order in which they were made. */
  run(save: () => Promise<unknown>): Promise<boolean>;
}

export function createSaving(): Saving {
  const [state, setState] = createSignal<"idle" | "saving" | "saved">("idle");
  const [problem, setProblem] = createSignal<string>();
  let last: Promise<unknown> = Promise.resolve();
  async function attempt(save: () => Promise<unknown>): Promise<boolean> {
    setState("saving");
    setProblem(undefined);
    try {
      await save();
      setState("saved");
      return true;
    } catch (error) {
      setState("idle");
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return false;
    }
  }
  return {
    state,
    problem,
    run(save) {
      const mine = last.then(() => attempt(save));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** A line of fixed height that says what became of the change. */
export function SavingNote(props: { saving: Saving }) {
  return (
    <p class="saving" role="status">
      <Show when={props.saving.state() !== "idle"}>
        {t(props.saving.state() === "saved" ? "settings.saved" : "settings.saving")}
      </Show>
      <Show when={props.saving.problem()}>{(words) => <span class="problem">{words()}</span>}</Show>
    </p>
  );
}
