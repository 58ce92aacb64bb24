import { deleteReminder } from "../../api/personal/reminders.ts";
import type { Reminder } from "../../client/model/reminders.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { nearTime } from "../shared/text/times.ts";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { RenderedContent } from "../ui/rendered-content.tsx";
import { LaterFrame } from "./later-frame.tsx";
import { LaterRow } from "./later-row.tsx";

/** Reminders that are to come, the next one first. */
export function Reminders() {
  const all = live(["reminders", "generation"], () => state.model.reminders.list());
  return (
    <LaterFrame title={t("view.reminders")} isEmpty={all().length === 0} empty={t("reminders.empty")}>
      <Keyed each={all()} by={({ id }) => id}>
        {(reminder) => <Row reminder={reminder()} />}
      </Keyed>
    </LaterFrame>
  );
}

function Row(props: { reminder: Reminder }) {
  const time = () => nearTime(props.reminder.deliverAt * 1000);
  return (
    <LaterRow
      about={<time>{time()}</time>}
      deleteLabel={t("reminders.delete", { time: time() })}
      delete={() => state.connection.call(deleteReminder, { reminder_id: props.reminder.id })}
    >
      <RenderedContent html={props.reminder.renderedContent} />
    </LaterRow>
  );
}
