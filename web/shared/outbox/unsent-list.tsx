import { For, Show } from "solid-js";
import { conversationNarrow } from "../../../client/narrow.ts";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { linkTo } from "../routing/links.ts";
import { state } from "../state/state.ts";
import { placeName } from "../text/names.ts";
import { readPlaces } from "../uploads/places.ts";
import { failureOf } from "./failure.ts";
import { UnsentActions } from "./unsent-actions.tsx";

/** The messages that were not sent yet, and why. */
export function UnsentList() {
  const unsent = live(["outbox", "connection", "generation"], () => state.outbox.unsent);
  return (
    <Show when={unsent().length > 0}>
      <section class="unsent" aria-label={t("outbox.title")}>
        <h2>{t("outbox.title")}</h2>
        <ul>
          <For each={unsent().map(({ localId }) => localId)}>
            {(localId) => (
              <Show when={unsent().find((message) => message.localId === localId)}>
                {(outgoing) => <UnsentRow outgoing={outgoing()} />}
              </Show>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

function UnsentRow(props: { outgoing: OutgoingMessage }) {
  const row = live(["outbox", "connection", "channels", "users"], () => ({
    place: placeName(props.outgoing.to),
    text: readPlaces(props.outgoing.content),
    isFailed: props.outgoing.state === "failed",
    reason: reasonOf(props.outgoing),
  }));
  return (
    <li>
      <a href={linkTo(conversationNarrow(props.outgoing.to))}>
        <bdi>{row().place}</bdi>
      </a>
      <bdi class="draft-text">{row().text}</bdi>
      <p classList={{ failed: row().isFailed, waiting: !row().isFailed }}>
        <Icon name={row().isFailed ? "failed" : "clock"} />
        <span>{row().reason}</span>
        <UnsentActions outgoing={props.outgoing} isFailed={row().isFailed} />
      </p>
    </li>
  );
}

export function reasonOf(outgoing: OutgoingMessage): string {
  if (outgoing.state === "failed") return t("feed.failed", { problem: failureOf(outgoing) });
  const reason = state.outbox.reasonToWait(outgoing);
  return reason === undefined ? "" : t(`outbox.waiting.${reason}`);
}
