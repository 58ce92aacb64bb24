import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";

interface FilterFieldProps {
  label: string;
  /** The key that leads to the field. */
  shortcut: string;
  text: string;
  onText(text: string): void;
  onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void;
  ref(field: HTMLInputElement): void;
}

/** A field above a list, which shows only what fits the text. */
export function FilterField(props: FilterFieldProps) {
  return (
    <div class="list-filter">
      <Icon name="filter" />
      <input
        ref={props.ref}
        type="text"
        inputmode="search"
        aria-label={props.label}
        placeholder={t("sidebar.filterHint")}
        autocomplete="off"
        spellcheck={false}
        value={props.text}
        onInput={(event) => props.onText(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
      />
      <Show when={props.text.trim() !== ""} fallback={<kbd>{props.shortcut}</kbd>}>
        <button
          type="button"
          class="square"
          aria-label={t("sidebar.filterClear")}
          onClick={() => props.onText("")}
        >
          <Icon name="close" />
        </button>
      </Show>
    </div>
  );
}
