import { createSignal, onCleanup, Show } from "solid-js";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { bindKeys } from "../ui/keys.ts";

const [text, setText] = createSignal("");

/** Whether the person looks for something, and only what fits is shown. */
export const isFiltering = () => text().trim() !== "";

/** Whether the name has the text in it. Without a text, everything fits. */
export function fits(name: string): boolean {
  return fold(name).includes(fold(text()));
}

/** The field above the list. It shows only views, people, channels and topics whose names fit. */
export function Filter() {
  let field: HTMLInputElement | undefined;
  bindKeys([{ keys: ["q"], label: "key.filterList", run: () => field?.focus() }]);
  onCleanup(() => setText(""));
  const rows = () => field?.closest("nav")?.querySelectorAll<HTMLElement>("a.item") ?? [];
  const clear = () => {
    setText("");
    if (field) field.value = "";
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") rows()[0]?.focus();
    else if (event.key === "Enter" && isFiltering()) {
      rows()[0]?.click();
      clear();
    } else if (event.key === "Escape") {
      if (isFiltering()) clear();
      else event.currentTarget.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="list-filter">
      <Icon name="filter" />
      <input
        ref={(one) => {
          field = one;
        }}
        type="text"
        inputmode="search"
        aria-label={t("sidebar.filter")}
        placeholder={t("sidebar.filterHint")}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Show when={isFiltering()} fallback={<kbd>Q</kbd>}>
        <button type="button" class="square" aria-label={t("sidebar.filterClear")} onClick={clear}>
          <Icon name="close" />
        </button>
      </Show>
    </div>
  );
}
