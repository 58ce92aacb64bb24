import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";
import { isComposing } from "./is-composing.ts";

interface FilterFieldProps {
  label: string;
  /** The key that leads to the field. */
  shortcut?: string;
  text: string;
  onText(text: string): void;
  onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void;
  ref?(field: HTMLInputElement): void;
}

/** A field above a list, which shows only what fits the text. */
export function FilterField(props: FilterFieldProps) {
  return (
    <div class="list-filter">
      <Icon name="filter" />
      <input
        ref={(field) => props.ref?.(field)}
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
      <Show
        when={props.text.trim() !== ""}
        fallback={<Show when={props.shortcut}>{(key) => <kbd>{key()}</kbd>}</Show>}
      >
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

/** Escape empties the field, and leaves an empty one. The arrow down goes to the list. */
export function leaveField(
  event: KeyboardEvent & { currentTarget: HTMLInputElement },
  empty: () => void,
  toList: () => void,
): void {
  if (isComposing(event)) return;
  if (event.key === "ArrowDown") toList();
  else if (event.key !== "Escape") return;
  else if (event.currentTarget.value === "") event.currentTarget.blur();
  else empty();
  event.preventDefault();
  event.stopPropagation();
}
