import { createSignal, For, Show } from "solid-js";
import { MAX_REMINDER_NOTE_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { createForm, FormDialog } from "../../ui/form-dialog.tsx";
import { state } from "../state/state.ts";
import { soonTime } from "../text/times.ts";
import { fieldTime, laterTimes, timeOfField } from "./later-times.ts";

export interface LaterRequest {
  title: string;
  action: string;
  /** Asks for a text for oneself too. */
  hasNote?: boolean;
  /** `at` in UNIX seconds. Gives the problem, if there is one. */
  run(at: number, note: string): Promise<string | undefined>;
}

const OWN = -1;

/** Asks for a moment, one that people often choose or any other. It stays open if that fails, and says so. */
export function LaterDialog(props: LaterRequest & { onClose(): void }) {
  const times = laterTimes(new Date(state.model.now()));
  const [chosen, setChosen] = createSignal(0);
  const [own, setOwn] = createSignal(fieldTime(times[0]?.at ?? new Date()));
  const [note, setNote] = createSignal("");

  const form = createForm(run, () => props.onClose());

  async function run(): Promise<string | undefined> {
    const at = chosen() === OWN ? timeOfField(own()) : times[chosen()]?.at;
    if (!at || at.getTime() <= state.model.now()) return t("later.notInFuture");
    return props.run(Math.floor(at.getTime() / 1000), note().trim());
  }

  return (
    <FormDialog title={props.title} class="form-dialog later" action={props.action} form={form}>
      <fieldset>
        <legend>{t("later.when")}</legend>
        <For each={times}>
          {({ label, at }, index) => (
            <label class="choice">
              <input
                type="radio"
                name="time"
                autofocus={index() === 0}
                checked={chosen() === index()}
                onChange={() => setChosen(index())}
              />
              <span>{t(label)}</span>
              <time>{soonTime(at)}</time>
            </label>
          )}
        </For>
        <label class="choice">
          <input type="radio" name="time" checked={chosen() === OWN} onChange={() => setChosen(OWN)} />
          <span>{t("later.other")}</span>
        </label>
      </fieldset>
      <label>
        {t("later.date")}
        <input
          type="datetime-local"
          min={fieldTime(new Date())}
          value={own()}
          onInput={(event) => {
            setOwn(event.currentTarget.value);
            setChosen(OWN);
          }}
        />
      </label>
      <Show when={props.hasNote}>
        <label>
          {t("later.note")}
          <input
            dir="auto"
            autocomplete="off"
            data-max={MAX_REMINDER_NOTE_LENGTH}
            value={note()}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
      </Show>
    </FormDialog>
  );
}
