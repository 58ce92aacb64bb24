import { createSignal, onCleanup } from "solid-js";
import { updateScheduledMessage } from "../../api/personal/scheduled-messages.ts";
import { countCharacters } from "../../client/count-characters.ts";
import type { ScheduledMessage } from "../../client/model/scheduled-messages.ts";
import { t } from "../i18n/t.ts";
import { removeIfSent, texts } from "../shared/compose/texts.ts";
import { fieldTime, timeOfField } from "../shared/later/later-times.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { maxMessageLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { createForm, FormDialog } from "../ui/form-dialog.tsx";

interface EditProps {
  message: ScheduledMessage;
  place: string;
  onClose(): void;
}

/** The text and the time of a message that is sent later. It stays open, with the reason, if saving fails. */
export function EditScheduled(props: EditProps) {
  const { message } = props;
  const before = fieldTime(new Date(message.deliverAt * 1000));
  const place = { kind: "scheduled", id: message.id } as const;
  const [text, setText] = createSignal(texts().at(place)?.content ?? message.content);
  const [time, setTime] = createSignal(before);
  const title = () => t("scheduled.edit", { place: props.place });

  const form = createForm(save, close);
  onCleanup(() => texts().leave(place));

  function write(value: string): void {
    setText(value);
    texts().write(place, value, "");
  }

  /** What was typed is kept until it is saved or given up, also when the view is left. */
  function close(): void {
    removeIfSent(place, text());
    props.onClose();
  }

  async function save(): Promise<string | undefined> {
    const at = timeOfField(time());
    const content = text().trim();
    // A message that failed needs a new time.
    const isTimeChanged = time() !== before || message.isFailed;
    if (content === "") return t("edit.empty");
    const tooMany = countCharacters(content) - maxMessageLength();
    if (tooMany > 0) return t("compose.tooLong", { count: tooMany });
    if (!at || (isTimeChanged && at.getTime() <= state.model.now())) return t("later.notInFuture");
    const changes = {
      ...(content !== message.content && { content }),
      ...(isTimeChanged && { scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000) }),
    };
    if (Object.keys(changes).length === 0) return undefined;
    const parameters = { scheduled_message_id: message.id, ...changes };
    return problemOf(() => state.connection.call(updateScheduledMessage, parameters));
  }

  return (
    <FormDialog title={title()} action={t("edit.save")} form={form}>
      <label>
        {t("edit.label")}
        <textarea
          autofocus
          rows="6"
          dir="auto"
          value={text()}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("later.date")}
        <input
          type="datetime-local"
          min={fieldTime(new Date())}
          value={time()}
          onInput={(event) => setTime(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  );
}
