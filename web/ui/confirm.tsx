import { createSignal } from "solid-js";
import { t } from "../i18n/t.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  /** Gives the problem, if there is one. */
  run(): Promise<string | undefined>;
  onClose(): void;
}

/** A question before something that can't be undone. It stays open, with the reason, if that fails. */
export function Confirm(props: ConfirmProps) {
  const [problem, setProblem] = createSignal<string>();
  const [isBusy, setBusy] = createSignal(false);
  const confirm = async () => {
    if (isBusy()) return;
    setBusy(true);
    setProblem(await props.run());
    setBusy(false);
    if (problem() === undefined) props.onClose();
  };
  return (
    <Dialog label={props.title} class="confirm" onClose={() => props.onClose()}>
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      <Problem text={problem()} />
      <p class="buttons">
        <button type="button" class="button" onClick={() => props.onClose()}>
          {t("dialog.cancel")}
        </button>
        <button type="button" class="button dangerous" autofocus onClick={() => void confirm()}>
          {props.action}
        </button>
      </p>
    </Dialog>
  );
}
