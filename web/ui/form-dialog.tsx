/** Forms in dialogs. One closes when all is well. If not, it stays with what was typed, and says why. */
import { createSignal, type JSX } from "solid-js";
import { t } from "../i18n/t.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

export interface Form {
  problem(): string | undefined;
  clearProblem(): void;
  /** Does nothing while the last attempt is on its way. */
  submit(): Promise<void>;
  close(): void;
}

/** `attempt` gives what went wrong, in words; undefined: all is well. */
export function createForm(attempt: () => Promise<string | undefined>, close: () => void): Form {
  const [problem, setProblem] = createSignal<string>();
  let isBusy = false;
  return {
    problem,
    clearProblem: () => void setProblem(undefined),
    close,
    async submit() {
      if (isBusy) return;
      isBusy = true;
      try {
        setProblem(await attempt());
      } finally {
        isBusy = false;
      }
      if (problem() === undefined) close();
    },
  };
}

interface FormProps {
  form: Form;
  /** On the button. */
  action: string;
  /** Whether it can be submitted; yes by default. */
  isReady?: boolean | undefined;
  children: JSX.Element;
}

export function DialogForm(props: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void props.form.submit();
      }}
    >
      {props.children}
      <Problem text={props.form.problem()} />
      <p class="buttons">
        <button type="button" class="button" onClick={() => props.form.close()}>
          {t("dialog.cancel")}
        </button>
        <button type="submit" class="button primary" disabled={props.isReady === false}>
          {props.action}
        </button>
      </p>
    </form>
  );
}

export function FormDialog(props: FormProps & { title: string; class?: string }) {
  return (
    <Dialog label={props.title} class={props.class ?? "form-dialog"} onClose={() => props.form.close()}>
      <h2>{props.title}</h2>
      <DialogForm {...props} />
    </Dialog>
  );
}
