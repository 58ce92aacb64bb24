import { createSignal, onCleanup } from "solid-js";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import { FilterField } from "../ui/filter-field.tsx";
import { isComposing } from "../ui/is-composing.ts";
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
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown") rows()[0]?.focus();
    else if (event.key === "Enter" && isFiltering()) {
      rows()[0]?.click();
      setText("");
    } else if (event.key === "Escape") {
      if (isFiltering()) setText("");
      else event.currentTarget.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <FilterField
      ref={(element) => {
        field = element;
      }}
      label={t("sidebar.filter")}
      shortcut="Q"
      text={text()}
      onText={setText}
      onKeyDown={onKeyDown}
    />
  );
}
