/** Pieces of the lists in this region. */
import { type JSX, Show } from "solid-js";
import { Icon, type IconName } from "../ui/icon.tsx";

/** What a row is about: its name, and a second line in grey. */
export function RowText(props: { name: JSX.Element; about?: JSX.Element }) {
  return (
    <div class="row-text">
      <span class="row-name">{props.name}</span>
      <Show when={props.about}>
        <span class="row-about">{props.about}</span>
      </Show>
    </div>
  );
}

export function RowButton(props: {
  icon: IconName;
  label: string;
  disabled?: boolean;
  run(button: HTMLButtonElement): void;
}) {
  return (
    <button
      type="button"
      class="square"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={(event) => props.run(event.currentTarget)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** The button that begins something new, above a list. */
export function AddButton(props: { label: string; run(): void }) {
  return (
    <p class="section-actions">
      <button type="button" class="button primary" onClick={() => props.run()}>
        {props.label}
      </button>
    </p>
  );
}

/** A button that asks for a file. Its name is that of the label. */
export function FileButton(props: {
  label: string;
  accept: string;
  disabled?: boolean;
  choose(file: File): void;
}) {
  return (
    <label class="button file-button">
      {props.label}
      <input
        type="file"
        class="sr"
        accept={props.accept}
        disabled={props.disabled}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file can be chosen again.
          event.currentTarget.value = "";
          if (file) props.choose(file);
        }}
      />
    </label>
  );
}

export const PICTURES = "image/png,image/gif,image/jpeg,image/webp,image/avif";
