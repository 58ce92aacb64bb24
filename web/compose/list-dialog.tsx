import { createSignal, For } from "solid-js";
import { MAX_WIDGET_ENTRIES, MAX_WIDGET_TEXT_LENGTH } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { createForm, FormDialog } from "../ui/form-dialog.tsx";

interface ListProps {
  command: "poll" | "todo";
  /** Gives what went wrong, in words. */
  send(content: string): string | undefined;
  onClose(): void;
}

/** A poll or a list of tasks that is made in fields. An empty field for the next entry is always there. */
export function ListDialog(props: ListProps) {
  const [title, setTitle] = createSignal("");
  const [entries, setEntries] = createSignal<readonly string[]>(["", ""]);
  const isPoll = () => props.command === "poll";
  const heading = () => t(isPoll() ? "insert.poll" : "insert.tasks");
  const change = (at: number, text: string) => {
    const changed = entries().map((entry, index) => (index === at ? text : entry));
    const isFull = changed.at(-1) !== "" && changed.length < MAX_WIDGET_ENTRIES;
    setEntries(isFull ? [...changed, ""] : changed);
  };

  const form = createForm(send, () => props.onClose());

  async function send(): Promise<string | undefined> {
    const name = line(title());
    if (name === "") return t(isPoll() ? "list.needQuestion" : "list.needTitle");
    const lines = [...new Set(entries().map(line))].filter((one) => one !== "");
    return props.send([`/${props.command} ${name}`, ...lines].join("\n"));
  }

  return (
    <FormDialog title={heading()} action={t("compose.send")} form={form}>
      <label>
        {t(isPoll() ? "poll.question" : "tasks.title")}
        <input
          autofocus
          dir="auto"
          autocomplete="off"
          data-max={MAX_WIDGET_TEXT_LENGTH}
          value={title()}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <fieldset class="entries">
        <legend>{t(isPoll() ? "list.answers" : "list.tasks")}</legend>
        <For each={entries().map((_entry, at) => at)}>
          {(at) => (
            <input
              dir="auto"
              autocomplete="off"
              data-max={MAX_WIDGET_TEXT_LENGTH}
              aria-label={t(isPoll() ? "list.answer" : "list.task", { number: at + 1 })}
              placeholder={t(isPoll() ? "poll.newOption" : "tasks.newTask")}
              value={entries()[at]}
              onInput={(event) => change(at, event.currentTarget.value)}
            />
          )}
        </For>
      </fieldset>
    </FormDialog>
  );
}

/** A line break would begin another entry. */
function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
