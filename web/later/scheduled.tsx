import { Show } from "solid-js";
import { deleteScheduledMessage } from "../../api/personal/scheduled-messages.ts";
import type { ScheduledMessage } from "../../client/model/scheduled-messages.ts";
import { conversationNarrow } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { linkTo } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { placeName } from "../shared/text/names.ts";
import { nearTime } from "../shared/text/times.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { openOverlay } from "../ui/overlay.ts";
import { LaterFrame } from "./later-frame.tsx";
import { LaterRow, LaterTool } from "./later-row.tsx";

const EditScheduled = lazyPart(async () => (await import("./edit-scheduled.tsx")).EditScheduled);

/** Messages that are sent later, the next one first, and those that could not be sent. */
export function Scheduled() {
  const all = live(["scheduledMessages", "channels", "users", "generation"], () =>
    state.model.scheduledMessages.list(),
  );
  return (
    <LaterFrame title={t("view.scheduled")} isEmpty={all().length === 0} empty={t("scheduled.empty")}>
      <Keyed each={all()} by={({ id }) => id}>
        {(message) => <Row message={message()} />}
      </Keyed>
    </LaterFrame>
  );
}

function Row(props: { message: ScheduledMessage }) {
  const place = () => placeName(props.message.to);
  const edit = () =>
    openOverlay((close) => <EditScheduled message={props.message} place={place()} onClose={close} />);
  const remove = () => {
    const parameters = { scheduled_message_id: props.message.id };
    return state.connection.call(deleteScheduledMessage, parameters);
  };
  return (
    <LaterRow
      about={
        <>
          <a href={linkTo(conversationNarrow(props.message.to))}>
            <bdi>{place()}</bdi>
          </a>
          <time>{nearTime(props.message.deliverAt * 1000)}</time>
          <Show when={props.message.isFailed}>
            <span class="problem">
              <Icon name="failed" /> {t("scheduled.failed")}
            </span>
          </Show>
        </>
      }
      tools={
        <LaterTool icon="pencil" label={t("scheduled.edit", { place: place() })} opensDialog run={edit} />
      }
      deleteLabel={t("scheduled.delete", { place: place() })}
      delete={remove}
    >
      <p class="later-text" dir="auto">
        {props.message.content}
      </p>
    </LaterRow>
  );
}
