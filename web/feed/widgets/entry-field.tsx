import { createSignal, Show } from "solid-js";
import { MAX_WIDGET_TEXT_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";

interface EntryProps {
  label: string;
  isKnown(text: string): boolean;
  /** Said of an entry that is there already. */
  known: string;
  /** False: it failed, and the text stays. */
  onAdd(text: string): Promise<boolean>;
}

/** Adds an entry to a poll or a list of tasks. */
export function EntryField(props: EntryProps) {
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string>();
  async function add(): Promise<void> {
    const entry = text().trim();
    if (entry === "") return;
    if (props.isKnown(entry)) return void setProblem(props.known);
    if (await props.onAdd(entry)) setText("");
  }
  return (
    <form
      class="entry"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <input
        dir="auto"
        autocomplete="off"
        data-max={MAX_WIDGET_TEXT_LENGTH}
        aria-label={props.label}
        placeholder={props.label}
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <button type="submit" class="square" aria-label={t("widget.add")} title={t("widget.add")}>
        <Icon name="plus" />
      </button>
      <Show when={problem()}>
        {(words) => (
          <span class="problem" role="alert">
            {words()}
          </span>
        )}
      </Show>
    </form>
  );
}
