import { createMemo, createSignal, Show } from "solid-js";
import type { Narrow } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { edited } from "../../shared/compose/editing.ts";
import { nameOf } from "../../shared/text/names.ts";
import { clock, dayName } from "../../shared/text/times.ts";
import { live } from "../../ui/live.ts";
import { askForDate } from "../actions/date-dialogs.tsx";
import { openMessageMenu } from "../actions/open-message-menu.ts";
import { ConversationBar } from "./conversation-bar.tsx";
import { MessageBody } from "./message-body.tsx";
import { MessageHeading } from "./message-heading.tsx";
import { MutedNote } from "./muted-note.tsx";
import { type RowShape, shapeOf } from "./row-shape.ts";
import { RowToolbar } from "./row-toolbar.tsx";
import { contentOf, type Row, type RowContent } from "./rows.ts";

export interface RowProps {
  row: Row;
  /** The narrow of the view. */
  narrow: Narrow;
  /** The row above, as it is now. */
  above: Row | undefined;
  position: number;
  /** The "New" line is above it. */
  isFirstNew: boolean;
  isSelected: boolean;
  /** The address names it. */
  isAimed: boolean;
  /** The view shows messages of several conversations. */
  isMixed: boolean;
  /** In a search: each message stands for itself. */
  isResult: boolean;
  onSelect(): void;
  onGoToDate(date: Date): void;
}

/** One message. Lines of dates and of conversations are part of the row that they precede. */
export function MessageRow(props: RowProps) {
  const id = props.row.outgoing ? live(["outbox", "messages"], () => props.row.id) : () => props.row.id;
  // What is on its way is of no concern to the messages that have arrived.
  const reader = createMemo(() => {
    const sources = id() === undefined ? ["outbox", "messages"] : [`messages:${id()}`];
    return live([...sources, "generation"], () => contentOf(props.row));
  });
  const content = () => reader()();
  const shape = createMemo(() => {
    const own = content();
    const shape = own && shapeOf(own, props.above && contentOf(props.above));
    return shape && props.isResult ? { ...shape, isFirstOfConversation: true, hasSender: true } : shape;
  });
  return (
    <Show when={content()}>{(own) => <Whole {...props} content={own()} shape={shape() as RowShape} />}</Show>
  );
}

function Whole(props: RowProps & { content: RowContent; shape: RowShape }) {
  const time = () => clock(props.content.sentAt);
  const flags = () => props.content.message?.flags;
  const isMention = () => (flags()?.has("mentioned") || flags()?.has("wildcard_mentioned")) ?? false;
  const isFailed = () => props.content.problem !== undefined;
  const [isPointed, setPointed] = createSignal(false);
  const [hasFocus, setFocus] = createSignal(false);
  const acted = () => {
    const isWanted = (isPointed() || hasFocus()) && edited() !== props.row.id && !props.row.muted;
    return isWanted ? props.content.message : undefined;
  };
  /** Muted people are not named. */
  const label = () =>
    props.row.muted
      ? t("muted.count", { count: props.row.muted.length })
      : t("feed.message", { name: nameOf(props.content.senderId), time: time() });
  /** A long press on a touch screen, which has no pointer to hover with. */
  const onContextMenu = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const { message } = props.content;
    if (!message || props.row.muted || !(event instanceof PointerEvent) || event.pointerType !== "touch")
      return;
    event.preventDefault();
    openMessageMenu(message, props.narrow, event.currentTarget);
  };
  return (
    <article
      class="row"
      classList={{ selected: props.isSelected, sending: props.content.message === undefined && !isFailed() }}
      aria-label={label()}
      aria-posinset={props.position}
      aria-setsize={-1}
      tabindex={props.isSelected ? 0 : -1}
      data-key={props.row.key}
      onFocusIn={() => {
        props.onSelect();
        setFocus(true);
      }}
      onFocusOut={(event) => setFocus(event.currentTarget.contains(event.relatedTarget as Node | null))}
      onPointerEnter={(event) => event.pointerType !== "touch" && setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onContextMenu={onContextMenu}
    >
      <Show when={props.shape.isFirstOfDay}>
        <p class="day">
          <button
            type="button"
            title={t("date.title")}
            onClick={() => askForDate(props.content.sentAt, props.onGoToDate)}
          >
            {dayName(props.content.sentAt)}
          </button>
        </p>
      </Show>
      <Show when={props.isFirstNew}>
        <p class="new">
          <span>{t("feed.new")}</span>
        </p>
      </Show>
      <Show when={props.isMixed && (props.shape.isFirstOfConversation || props.shape.isFirstOfDay)}>
        <ConversationBar
          to={props.content.to}
          near={props.row.id}
          topicHtml={props.content.topicHtml}
          isResult={props.isResult}
          isActed={acted() !== undefined}
        />
      </Show>
      <div
        class="message"
        classList={{
          first: props.shape.hasSender,
          aimed: props.isAimed,
          mention: isMention() && !props.row.muted,
          action: props.content.message?.isMeMessage ?? false,
        }}
      >
        <Show when={!props.row.muted} fallback={<MutedNote ids={props.row.muted ?? []} />}>
          <Show when={props.shape.hasSender} fallback={<time class="side-time">{time()}</time>}>
            <MessageHeading row={props.row} content={props.content} />
          </Show>
          <MessageBody row={props.row} content={props.content} />
        </Show>
        <Show when={acted()}>
          {(message) => (
            <RowToolbar
              message={message()}
              isStarred={flags()?.has("starred") ?? false}
              narrow={props.narrow}
            />
          )}
        </Show>
      </div>
    </article>
  );
}
