import { createEffect, createSignal, Show, untrack } from "solid-js";
import { t } from "../../i18n/t.ts";
import { watchUnsaved } from "../../shared/routing/unsaved.ts";
import { TextArea, TextField } from "../../ui/fields.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { SavedNote } from "../controls/saved-note.tsx";

interface TextSettingProps {
  label: string;
  hint?: string | undefined;
  /** What the server has. It is shown until somebody types. */
  value: string;
  type?: "text" | "url" | "number";
  isLong?: boolean;
  maxLength?: number;
  disabled?: boolean;
  save(value: string): Promise<unknown>;
}

/** A text with a button that saves it, which Enter presses too. */
export function TextSetting(props: TextSettingProps) {
  const saving = createSaving();
  const [draft, setDraft] = createSignal<string>();
  const [isSent, setSent] = createSignal(false);
  const isChanged = () => !isSent() && draft() !== undefined && draft() !== props.value;
  watchUnsaved(isChanged);
  // What was sent is shown until its event has come.
  createEffect(() => {
    void props.value;
    if (untrack(isSent)) setDraft(undefined);
    setSent(false);
  });
  const save = async () => {
    const text = draft();
    if (text === undefined || !isChanged()) return;
    setSent(true);
    if (!(await saving.run(() => props.save(text)))) setSent(false);
  };
  const field = {
    get label() {
      return props.label;
    },
    get hint() {
      return props.hint;
    },
    get disabled() {
      return props.disabled;
    },
    get problem() {
      return saving.problem();
    },
    get value() {
      return draft() ?? props.value;
    },
    onInput: (text: string) => {
      setDraft(text);
      setSent(false);
    },
  };
  return (
    <form
      class="setting"
      classList={{ "with-button": !props.disabled }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Show
        when={props.isLong}
        fallback={
          <TextField
            {...field}
            {...(props.type && { type: props.type })}
            {...(props.maxLength && { maxLength: props.maxLength })}
          />
        }
      >
        <TextArea {...field} rows={4} {...(props.maxLength && { maxLength: props.maxLength })} />
      </Show>
      <Show when={!props.disabled}>
        <button type="submit" class="button" disabled={!isChanged()} aria-label={saveLabel(props.label)}>
          {t("settings.save")}
        </button>
      </Show>
      <SavedNote saving={saving} />
    </form>
  );
}

function saveLabel(label: string): string {
  return `${t("settings.save")}: ${label}`;
}
