import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { conversationNarrow, keyOfNarrow } from "../../../client/narrow.ts";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { linkTo } from "../routing/links.ts";
import { type Route, route } from "../routing/route.ts";
import { state } from "../state/state.ts";
import { placeName } from "../text/names.ts";
import { UploadList } from "../uploads/upload-list.tsx";
import { freeUploads, uploads } from "../uploads/uploads.ts";
import { isFirstOfTopic } from "./first-of-topic.ts";
import { isShownIn } from "./shown-in.ts";
import { UnsentActions } from "./unsent-actions.tsx";
import { reasonOf } from "./unsent-list.tsx";

/**
 * In every view: what was not sent, files that are on their way elsewhere, and where a message went that the
 * view does not show.
 */
export function OutboxSign() {
  return (
    <div class="banner-place" role="status" aria-live="polite">
      <div class="outbox-sign">
        <Unsent />
        <Sent />
        <Files />
      </div>
    </div>
  );
}

function Unsent() {
  const sources = ["outbox", "connection", "generation"];
  const unsent = live(sources, () => state.outbox.unsent);
  /** One that has no row here has its actions here. */
  const single = () => {
    const [only, ...others] = unsent();
    return only && others.length === 0 && !isOnScreen(only, route()) ? only : undefined;
  };
  const words = () => {
    const failed = unsent().filter((message) => message.state === "failed").length;
    return failed > 0
      ? t("outbox.failed", { count: failed })
      : t("outbox.waiting", { count: unsent().length });
  };
  const hasFailed = () => unsent().some((message) => message.state === "failed");
  return (
    <Show when={unsent().length > 0 && route().view !== "drafts"}>
      <p class="banner" classList={{ bad: hasFailed() }}>
        <Icon name={hasFailed() ? "failed" : "clock"} />
        <Show
          when={single()}
          fallback={
            <>
              <span>{words()}</span> <a href="#drafts">{t("outbox.show")}</a>
            </>
          }
        >
          {(outgoing) => (
            <>
              <a href={linkTo(conversationNarrow(outgoing().to))}>{placeName(outgoing().to)}</a>
              <span>{reasonOf(outgoing())}</span>
              <UnsentActions outgoing={outgoing()} isFailed={outgoing().state === "failed"} />
            </>
          )}
        </Show>
      </p>
    </Show>
  );
}

/** Where it went, if that is not the view. Until the next message, or until the person goes elsewhere. */
function Sent() {
  const [closed, close] = createSignal<OutgoingMessage>();
  const last = live("outbox", () => {
    const { lastSent, messages } = state.outbox;
    return lastSent?.id !== undefined && !messages.includes(lastSent) ? lastSent : undefined;
  });
  const view = createMemo(() => viewKey(route()));
  createEffect(on(view, () => close(last()), { defer: true }));
  const shown = () => {
    const sent = last();
    if (!sent || sent === closed()) return undefined;
    return isFirstOfTopic(sent) || !isOnScreen(sent, route()) ? sent : undefined;
  };
  return (
    <Show when={shown()}>
      {(outgoing) => (
        <p class="banner">
          <Icon name="check" />
          <span>{t("outbox.sent")}</span>
          <a href={linkTo(conversationNarrow(outgoing().to))}>{placeName(outgoing().to)}</a>
          <button type="button" class="quiet" onClick={() => close(outgoing())}>
            {t("help.close")}
          </button>
        </p>
      )}
    </Show>
  );
}

function Files() {
  const free = live("outbox", freeUploads);
  const shown = () => (route().view === "drafts" ? free() : uploads());
  const elsewhere = () =>
    shown().filter(({ to }) => viewKey(route()) !== keyOfNarrow(conversationNarrow(to)));
  return (
    <div class="banner" hidden={elsewhere().length === 0}>
      <UploadList uploads={elsewhere()} hasPlaces />
    </div>
  );
}

function isOnScreen(outgoing: OutgoingMessage | undefined, current: Route): boolean {
  return outgoing !== undefined && current.view === "messages" && isShownIn(outgoing, current.narrow);
}

function viewKey(current: Route): string {
  return current.view === "messages" ? keyOfNarrow(current.narrow) : current.view;
}

/** Below a message that is not on its way yet: what it waits for. It must be there without a network. */
export function WaitingNote(props: { outgoing: OutgoingMessage; isWaiting: boolean }) {
  return (
    <p class="waiting" role="status">
      <Icon name="clock" />
      <span>{props.isWaiting ? reasonOf(props.outgoing) : ""}</span>
      <UnsentActions outgoing={props.outgoing} isFailed={false} />
    </p>
  );
}
