/** One text with its button. Enter saves too. What was typed stays if saving fails. */
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { watchUnsaved } from "../shared/routing/unsaved.ts";
import { TextArea, TextField } from "./fields.tsx";
import { Marked } from "./saved-mark.tsx";
import { createSaving } from "./saving.tsx";

interface TextFormProps {
  label: string;
  /** As it is saved. */
  value: string;
  save(text: string): Promise<unknown>;
  hint?: string | undefined;
  type?: "text" | "email" | "url" | "date";
  maxLength?: number;
  disabled?: boolean | undefined;
  isLong?: boolean;
}

export function TextForm(props: TextFormProps) {
  const saving = createSaving();
  const [typed, type] = createSignal<string>();
  // Its source changes with much else, and what is typed may go only with another value.
  const saved = createMemo(() => props.value);
  const text = () => typed() ?? saved();
  const isChanged = () => text().trim() !== saved();
  createEffect(on(saved, () => saving.state() !== "saving" && type(undefined), { defer: true }));
  watchUnsaved(() => typed() !== undefined && isChanged() && saving.state() !== "saving");
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const wanted = text().trim();
    if (!isChanged()) return;
    const isSaved = await saving.run(() => props.save(wanted));
    if (isSaved && saved() === wanted && text().trim() === wanted) type(undefined);
  }
  const common = () => ({
    label: props.label,
    hint: props.hint,
    disabled: props.disabled,
    problem: saving.problem(),
    value: text(),
    ...(props.maxLength !== undefined && { maxLength: props.maxLength }),
    onInput: type,
  });
  return (
    <Marked saving={saving}>
      <form class="text-form" onSubmit={(event) => void submit(event)}>
        <Show when={props.isLong} fallback={<TextField type={props.type ?? "text"} {...common()} />}>
          <TextArea {...common()} />
        </Show>
        <Show when={!props.disabled}>
          <button type="submit" class="button" disabled={!isChanged()}>
            {t("own.save")}
            <span class="sr"> {props.label}</span>
          </button>
        </Show>
      </form>
    </Marked>
  );
}
