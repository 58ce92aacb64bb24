import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";
import { beginWith } from "../../shared/compose/texts.ts";
import { state } from "../../shared/state/state.ts";
import { Icon } from "../../ui/icon.tsx";

/** Below a message that was not sent: why, and what can be done. */
export function FailedNote(props: { outgoing: OutgoingMessage | undefined; problem: string }) {
  const act = (run: (outgoing: OutgoingMessage) => void) => () => props.outgoing && run(props.outgoing);
  const edit = act((outgoing) => {
    beginWith(outgoing.to, outgoing.content);
    state.outbox.remove(outgoing);
  });
  return (
    <p class="failed" role="alert">
      <Icon name="failed" />
      <span>{t("feed.failed", { problem: props.problem })}</span>
      <button type="button" class="quiet" onClick={act((outgoing) => state.outbox.retry(outgoing))}>
        {t("feed.retry")}
      </button>
      <button type="button" class="quiet" onClick={edit}>
        {t("feed.edit")}
      </button>
    </p>
  );
}
