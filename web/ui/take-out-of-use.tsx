import { Show } from "solid-js";
import { askFirst } from "./menus.tsx";
import { createSaving, SavingNote } from "./saving.tsx";

interface UseProps {
  isOut: boolean;
  /** While it is in use, and above the question. */
  inUse: { heading: string; text: string; action: string; question: string };
  out: { heading: string; text?: string; action: string };
  /** Gives what went wrong, in words. */
  takeOut(): Promise<string | undefined>;
  bringBack(): Promise<unknown>;
}

/** Takes a thing out of use after a question, or brings it back. */
export function TakeOutOfUse(props: UseProps) {
  const saving = createSaving();
  const ask = () => {
    const { question: title, text, action } = props.inUse;
    askFirst({ title, text, action, run: () => props.takeOut() });
  };
  return (
    <section class="danger-zone">
      <Show
        when={props.isOut}
        fallback={
          <>
            <h3>{props.inUse.heading}</h3>
            <p class="hint">{props.inUse.text}</p>
            <button type="button" class="button dangerous" onClick={ask}>
              {props.inUse.action}
            </button>
          </>
        }
      >
        <h3>{props.out.heading}</h3>
        <Show when={props.out.text}>
          <p class="hint">{props.out.text}</p>
        </Show>
        <button type="button" class="button" onClick={() => void saving.run(() => props.bringBack())}>
          {props.out.action}
        </button>
        <SavingNote saving={saving} />
      </Show>
    </section>
  );
}
