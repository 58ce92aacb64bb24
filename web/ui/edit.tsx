/**
 * A value of the server that is edited in a field: what the person chose stays on the screen until it is
 * saved or given up. Another person's change shows at once where nothing is being edited.
 */
import { createEffect, createSignal, on, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { watchUnsaved } from "../shared/routing/unsaved.ts";
import { createSaving } from "./saving.tsx";

export interface Edit<T> extends EditState {
  value(): T;
  change(value: T): void;
  /** For controls with effect at once. After a failure, the control shows what is on the server. */
  saveNow(value: T): Promise<void>;
}

interface EditState {
  /** Whether there is something to save. */
  isChanged(): boolean;
  isBusy(): boolean;
  problem(): string | undefined;
  isSaved(): boolean;
  cancel(): void;
  save(): Promise<boolean>;
}

interface EditOptions<T> {
  /** What is on the server. */
  read(): T;
  isSame?(one: T, other: T): boolean;
  /** `base`: what was on the server when the edit began. */
  save(value: T, base: T): Promise<unknown>;
}

interface Draft<T> {
  base: T;
  value: T;
  isSent: boolean;
}

export function createEdit<T>(options: EditOptions<T>): Edit<T> {
  const { read, isSame = (one: T, other: T) => one === other } = options;
  const saving = createSaving();
  const [draft, setDraft] = createSignal<Draft<T>>();
  // A saved draft stays until its event has come, and ends with any event. It ends for good: somebody may set
  // the value back to what it was before.
  const isOver = (one: Draft<T> | undefined) => one?.isSent === true && !isSame(read(), one.base);
  const current = () => {
    const one = draft();
    return isOver(one) ? undefined : one;
  };
  createEffect(on(read, () => void (isOver(draft()) && setDraft(undefined)), { defer: true }));
  const edit: Edit<T> = {
    value() {
      const one = current();
      return one ? one.value : read();
    },
    isChanged() {
      const one = current();
      return one !== undefined && !one.isSent && !isSame(one.value, read());
    },
    isBusy: () => saving.state() === "saving",
    problem: saving.problem,
    isSaved: () => saving.state() === "saved" && !edit.isChanged(),
    change(value) {
      const one = current();
      setDraft({ base: one && !one.isSent ? one.base : read(), value, isSent: false });
    },
    cancel: () => void setDraft(undefined),
    async save() {
      const one = current();
      if (!one) return true;
      const isSaved = await saving.run(() => options.save(one.value, one.base));
      const newest = current();
      // What was typed while the call was on its way is still to be saved. After a conflict, the next attempt
      // replaces what is on the server by then.
      const value = newest && !newest.isSent ? newest.value : one.value;
      const isSent = isSaved && isSame(value, one.value);
      const left = { base: isSaved ? one.base : read(), value, isSent };
      setDraft(isOver(left) ? undefined : left);
      return isSaved;
    },
    async saveNow(value) {
      edit.change(value);
      if (!(await edit.save())) edit.cancel();
    },
  };
  watchUnsaved(() => edit.isChanged() && !edit.isBusy());
  return edit;
}

/** At the end of the label's line: the buttons that save, or what became of it. Nothing moves for it. */
export function EditEnd(props: { edit: EditState; label: string; disabled?: boolean | undefined }) {
  return (
    <p class="edit-end">
      <Show
        when={props.edit.isChanged() && !props.edit.isBusy()}
        fallback={
          <span role="status" class="edit-note">
            <Show when={props.edit.isBusy()}>{t("settings.saving")}</Show>
            <Show when={props.edit.isSaved()}>{t("settings.saved")}</Show>
          </span>
        }
      >
        <button
          type="button"
          class="button"
          aria-label={`${t("dialog.cancel")}: ${props.label}`}
          onClick={() => props.edit.cancel()}
        >
          {t("dialog.cancel")}
        </button>
        <button
          type="button"
          class="button primary"
          aria-label={`${t("settings.save")}: ${props.label}`}
          disabled={props.disabled}
          onClick={() => void props.edit.save()}
        >
          {t("settings.save")}
        </button>
      </Show>
    </p>
  );
}
