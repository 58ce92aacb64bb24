import { Show } from "solid-js";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { t } from "../../i18n/t.ts";
import { edited, editMessage } from "../../shared/compose/editing.ts";
import { Icon } from "../../ui/icon.tsx";
import { holdKeys } from "../../ui/type-ahead.ts";
import { toggleFlag } from "../actions/message-actions.ts";
import { LateWidget } from "../widgets/late-widget.tsx";
import { FailedNote } from "./failed-note.tsx";
import { LongMessage } from "./long-message.tsx";
import { Reactions } from "./reactions.tsx";
import { problemOf, setProblem } from "./row-problems.ts";
import type { Row, RowContent } from "./rows.ts";

const WaitingNote = lazyPart(async () => (await import("../../shared/outbox/outbox-sign.tsx")).WaitingNote);
const LateEditBox = lazyPart(async () => (await import("./edit-box.tsx")).EditBox);

/** The text of a message with its marks, its reactions, and what failed. */
export function MessageBody(props: { row: Row; content: RowContent }) {
  const message = () => props.content.message;
  const isCollapsed = () => message()?.flags.has("collapsed") ?? false;
  const isEdited = () => props.row.id !== undefined && edited() === props.row.id;
  return (
    <>
      <Show
        when={!isEdited()}
        fallback={<EditBox messageId={props.row.id ?? 0} onClose={() => editMessage(undefined)} />}
      >
        <Show when={!isCollapsed()} fallback={<Collapsed onShow={() => expand()} />}>
          <Show
            when={props.content.submessages.length > 0 && message()}
            fallback={<LongMessage rowKey={props.row.key} html={props.content.html} />}
          >
            {(one) => <LateWidget message={one()} submessages={props.content.submessages} />}
          </Show>
        </Show>
      </Show>
      <Show when={message()?.editedAt !== undefined}>
        <span class="mark">({t("feed.edited")})</span>
      </Show>
      <Show when={message()?.editedAt === undefined && message()?.movedAt !== undefined}>
        <span class="mark">({t("feed.moved")})</span>
      </Show>
      <Show when={message()?.flags.has("starred")}>
        <span class="mark starred">
          <Icon name="star" />
          <span class="sr">{t("message.isStarred")}</span>
        </span>
      </Show>
      <Reactions message={message()} reactions={props.content.reactions} />
      <Show when={props.content.problem !== undefined}>
        <FailedNote outgoing={props.row.outgoing} problem={props.content.problem ?? ""} />
      </Show>
      <Show when={props.content.isWaiting && props.row.outgoing}>
        {(outgoing) => <WaitingNote outgoing={outgoing()} isWaiting={props.content.isWaiting} />}
      </Show>
      <Show when={problemOf(props.row.id)}>
        {(problem) => (
          <p class="failed" role="alert">
            <Icon name="failed" />
            <span>{problem()}</span>
            <button
              type="button"
              class="quiet"
              onClick={() => props.row.id !== undefined && setProblem(props.row.id, undefined)}
            >
              {t("help.close")}
            </button>
          </p>
        )}
      </Show>
    </>
  );

  function expand(): void {
    const one = message();
    if (one) toggleFlag(one, "collapsed");
  }
}

function EditBox(props: { messageId: number; onClose(): void }) {
  holdKeys(".edit-box", () => props.onClose());
  return <LateEditBox messageId={props.messageId} onClose={() => props.onClose()} />;
}

function Collapsed(props: { onShow(): void }) {
  return (
    <p class="collapsed">
      <button type="button" class="quiet" onClick={() => props.onShow()}>
        {t("message.showCollapsed")}
      </button>
    </p>
  );
}
