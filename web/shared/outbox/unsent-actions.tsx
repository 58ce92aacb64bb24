import { Show } from "solid-js";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../state/state.ts";
import { uploads } from "../uploads/uploads.ts";
import { editUnsent } from "./edit-unsent.ts";

/** What can be done with a message that was not sent. */
export function UnsentActions(props: { outgoing: OutgoingMessage; isFailed: boolean }) {
  return (
    <>
      <Show when={props.isFailed}>
        <button type="button" class="quiet" onClick={() => state.outbox.retry(props.outgoing)}>
          {t("feed.retry")}
        </button>
      </Show>
      <button type="button" class="quiet" onClick={() => editUnsent(props.outgoing)}>
        {t("feed.edit")}
      </button>
      <button type="button" class="quiet" onClick={() => remove(props.outgoing)}>
        {t("outbox.delete")}
      </button>
    </>
  );
}

/** The files that it waits for are not wanted any more either. */
function remove(outgoing: OutgoingMessage): void {
  state.outbox.remove(outgoing);
  for (const upload of uploads()) if (outgoing.files.includes(upload.place)) upload.cancel();
}
