import { createMemo, createSignal, Show } from "solid-js";
import { fold } from "../../../client/autocomplete/fold.ts";
import { t } from "../../i18n/t.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { createListbox } from "../../ui/listbox.ts";
import { live } from "../../ui/live.ts";
import { Options } from "../../ui/options.tsx";
import { maxTopicLength } from "../state/server-limits.ts";
import { state } from "../state/state.ts";
import { topicName } from "../text/names.ts";

const MAX_SHOWN = 8;

interface FieldProps {
  /** 0: none is chosen yet. */
  channelId: number;
  topic: string;
  onTopic(topic: string): void;
  /** A topic was chosen from the list. */
  onChoose?(): void;
  /** Enter, where none is chosen by it. Without it, the key goes on. */
  onEnter?(): void;
  /** Escape, while the list is closed. Without it, the key goes on. */
  onEscape?(): void;
  /** Where a label is for it. It has its own otherwise. */
  id?: string;
  isReadOnly?: boolean;
  ref?(field: HTMLInputElement): void;
}

/** The topic of a channel's message: one that is there, or another. */
export function TopicField(props: FieldProps) {
  const [isOpen, setOpen] = createSignal(false);
  const topics = live(["topics", "generation"], () => {
    if (props.channelId === 0) return [];
    void state.topics.need(props.channelId);
    return state.topics.of(props.channelId).map(({ name }) => name);
  });
  const found = createMemo(() => {
    const wanted = fold(props.topic.trim());
    const fitting = topics().filter((name) => name !== "" && fold(topicName(name)).includes(wanted));
    // Nothing is left to choose where the only one is what was typed.
    return fitting.length === 1 && fold(fitting[0] ?? "") === wanted ? [] : fitting.slice(0, MAX_SHOWN);
  });
  const choose = (topic: string) => {
    props.onTopic(topic);
    setOpen(false);
    props.onChoose?.();
  };
  const list = createListbox({ items: found, isOpen, onChoose: choose });

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    if (event.key === "Enter") {
      setOpen(false);
      if (!props.onEnter) return;
      props.onEnter();
    } else if (event.key === "Escape" && list.isShown()) setOpen(false);
    else if (event.key === "Escape" && props.onEscape) props.onEscape();
    else if (event.key !== "ArrowDown" || props.isReadOnly) return;
    else {
      list.setAt(0);
      setOpen(true);
    }
    event.preventDefault();
  }

  return (
    <span class="topic-field">
      <input
        ref={(element) => {
          list.attach(element);
          props.ref?.(element);
        }}
        id={props.id}
        aria-label={props.id === undefined ? t("compose.topic") : undefined}
        readonly={props.isReadOnly}
        placeholder={t("compose.topicPlaceholder")}
        data-max={maxTopicLength(props.topic)}
        autocomplete="off"
        dir="auto"
        value={props.topic}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          props.onTopic(event.currentTarget.value);
          // What was typed is a topic too, so none is chosen before an arrow says which.
          list.setAt(-1);
          setOpen(event.currentTarget.value.trim() !== "");
        }}
        onKeyDown={onKeyDown}
      />
      <Options list={list} class="completions" label={t("compose.topic")}>
        {(name) => (
          <>
            <bdi>{topicName(name)}</bdi>
            <Show when={unreadIn(props.channelId, name) > 0}>
              <span class="completion-detail">
                {t("sidebar.unread", { count: unreadIn(props.channelId, name) })}
              </span>
            </Show>
          </>
        )}
      </Options>
    </span>
  );
}

function unreadIn(channelId: number, topic: string): number {
  return state.model.unreads.inTopic(channelId, topic).size;
}
