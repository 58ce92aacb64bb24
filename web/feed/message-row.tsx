import { createMemo, Show } from "solid-js";
import { hashOfNarrow } from "../../client/narrow-hash.ts";
import { linkTo, narrowOfMessage } from "../app/links.ts";
import { channelName, nameOf, peopleNames, topicName } from "../app/names.ts";
import { state } from "../app/state.ts";
import { clock, dayName, fullTime } from "../app/times.ts";
import { t } from "../i18n/t.ts";
import { Avatar } from "../ui/avatar.tsx";
import { live } from "../ui/live.ts";
import { RenderedContent } from "../ui/rendered-content.tsx";
import { FailedNote } from "./failed-note.tsx";
import { Reactions } from "./reactions.tsx";
import { type RowShape, shapeOf } from "./row-shape.ts";
import { contentOf, type Row, type RowContent } from "./rows.ts";

export interface RowProps {
  row: Row;
  /** The row above, as it is now. */
  above: Row | undefined;
  position: number;
  /** The "New" line is above it. */
  isFirstNew: boolean;
  isSelected: boolean;
  /** The view shows messages of several conversations. */
  isMixed: boolean;
  onSelect(): void;
}

/** One message. Lines of dates and of conversations are part of the row that they precede. */
export function MessageRow(props: RowProps) {
  const sources = props.row.outgoing
    ? ["outbox", "messages", "generation"]
    : [`messages:${props.row.id}`, "outbox", "generation"];
  const content = live(sources, () => contentOf(props.row));
  const shape = createMemo(() => {
    const own = content();
    return own && shapeOf(own, props.above && contentOf(props.above));
  });
  return (
    <Show when={content()}>{(own) => <Whole {...props} content={own()} shape={shape() as RowShape} />}</Show>
  );
}

function Whole(props: RowProps & { content: RowContent; shape: RowShape }) {
  const sender = live(["users", "generation"], () => state.model.users.get(props.content.senderId));
  const time = () => clock(props.content.sentAt);
  const flags = () => props.content.message?.flags;
  const isMention = () => (flags()?.has("mentioned") || flags()?.has("wildcard_mentioned")) ?? false;
  const isFailed = () => props.content.problem !== undefined;
  return (
    <article
      class="row"
      classList={{ selected: props.isSelected, sending: props.content.message === undefined && !isFailed() }}
      aria-label={t("feed.message", { name: nameOf(props.content.senderId), time: time() })}
      aria-posinset={props.position}
      aria-setsize={-1}
      tabindex={props.isSelected ? 0 : -1}
      data-key={props.row.key}
      onFocusIn={() => props.onSelect()}
    >
      <Show when={props.shape.isFirstOfDay}>
        <p class="day">
          <span>{dayName(props.content.sentAt)}</span>
        </p>
      </Show>
      <Show when={props.isFirstNew}>
        <p class="new">
          <span>{t("feed.new")}</span>
        </p>
      </Show>
      <Show when={props.isMixed && (props.shape.isFirstOfConversation || props.shape.isFirstOfDay)}>
        <ConversationBar to={props.content.to} near={props.row.id} />
      </Show>
      <div
        class="message"
        classList={{
          first: props.shape.hasSender,
          mention: isMention(),
          action: props.content.message?.isMeMessage ?? false,
        }}
      >
        <Show when={props.shape.hasSender} fallback={<time class="side-time">{time()}</time>}>
          <Avatar user={sender()} />
          <p class="sender">
            <bdi class="sender-name">{nameOf(props.content.senderId)}</bdi>
            <Show when={sender()?.isBot}>
              <span class="tag">{t("feed.bot")}</span>
            </Show>
            <a
              class="time"
              href={
                props.row.id === undefined
                  ? undefined
                  : hashOfNarrow({ narrow: narrowOfMessage(props.content.to), near: props.row.id })
              }
              title={fullTime(props.content.sentAt * 1000)}
            >
              {time()}
            </a>
          </p>
        </Show>
        <RenderedContent html={props.content.html} />
        <Show when={props.content.message?.editedAt !== undefined}>
          <span class="mark">({t("feed.edited")})</span>
        </Show>
        <Reactions messageId={props.row.id} reactions={props.content.reactions} />
        <Show when={isFailed()}>
          <FailedNote outgoing={props.row.outgoing} problem={props.content.problem ?? ""} />
        </Show>
      </div>
    </article>
  );
}

function ConversationBar(props: { to: RowContent["to"]; near: number | undefined }) {
  const link = () => linkTo(narrowOfMessage(props.to), props.near);
  return (
    <a class="conversation-bar" href={link()}>
      {props.to.kind === "channel" ? (
        <>
          <bdi>#{channelName(props.to.channelId)}</bdi>
          <span aria-hidden="true">›</span>
          <bdi>{topicName(props.to.topic)}</bdi>
        </>
      ) : (
        <bdi>{t("feed.directBar", { names: peopleNames(props.to.userIds) })}</bdi>
      )}
    </a>
  );
}
