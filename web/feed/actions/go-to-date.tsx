import { createSignal } from "solid-js";
import { t } from "../../i18n/t.ts";
import { fieldTime, timeOfField } from "../../shared/later/later-times.ts";
import { Dialog } from "../../ui/dialog.tsx";

interface DateProps {
  /** UNIX seconds. */
  sentAt: number;
  onChoose(date: Date): void;
  onClose(): void;
}

const dayOf = (date: Date) => fieldTime(date).slice(0, 10);

/** Goes to the messages of a day. */
export function GoToDate(props: DateProps) {
  const [day, setDay] = createSignal(dayOf(new Date(props.sentAt * 1000)));
  const choose = () => {
    const date = timeOfField(`${day()}T00:00`);
    if (!date) return;
    props.onClose();
    props.onChoose(date);
  };
  return (
    <Dialog label={t("date.title")} class="form-dialog" onClose={() => props.onClose()}>
      <h2>{t("date.title")}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose();
        }}
      >
        <label>
          {t("date.label")}
          <input
            autofocus
            required
            type="date"
            max={dayOf(new Date())}
            value={day()}
            onInput={(event) => setDay(event.currentTarget.value)}
          />
        </label>
        <p class="buttons">
          <button type="button" class="button" onClick={() => props.onClose()}>
            {t("dialog.cancel")}
          </button>
          <button type="submit" class="button primary">
            {t("date.action")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
