import { type JSX, onCleanup, onMount } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";

/** The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog(props: { label: string; class: string; onClose(): void; children: JSX.Element }) {
  let element: HTMLDialogElement | undefined;
  onMount(() => element?.showModal());
  onCleanup(() => element?.close());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too.
    <dialog
      ref={(one) => {
        element = one;
      }}
      class={`dialog ${props.class}`}
      aria-label={props.label}
      onClose={() => props.onClose()}
      onClick={(event) => event.target === element && props.onClose()}
    >
      <div class="dialog-sheet">
        <button
          type="button"
          class="square close"
          aria-label={t("help.close")}
          onClick={() => props.onClose()}
        >
          <Icon name="close" />
        </button>
        {props.children}
      </div>
    </dialog>
  );
}
