import { type JSX, onCleanup, onMount } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";

/** The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog(props: { label: string; class: string; onClose(): void; children: JSX.Element }) {
  let element: HTMLDialogElement | undefined;
  let isGone = false;
  onMount(() => element?.showModal());
  onCleanup(() => {
    isGone = true;
    element?.close();
  });
  // Browsers report it in a later task. By then, another dialog may be in this one's place.
  const close = () => {
    if (!isGone) props.onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too.
    <dialog
      ref={(one) => {
        element = one;
      }}
      class={`dialog ${props.class}`}
      aria-label={props.label}
      onClose={close}
      onClick={(event) => event.target === element && close()}
    >
      <div class="dialog-sheet">
        <button type="button" class="square close" aria-label={t("help.close")} onClick={close}>
          <Icon name="close" />
        </button>
        {props.children}
      </div>
    </dialog>
  );
}
