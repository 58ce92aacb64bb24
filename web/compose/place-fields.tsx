/** The fields for a channel and a topic, with what fits. They are fetched when a place is open. */
import { createEffect, createMemo, createSignal, Show } from "solid-js";
import { fold } from "../../client/autocomplete/fold.ts";
import { best } from "../../client/autocomplete/rank.ts";
import { t } from "../i18n/t.ts";
import { listSections } from "../shared/channels/channel-order.ts";
import {
  composeTo,
  focusCompose,
  isPlaceAsked,
  openBox,
  stopAsking,
} from "../shared/compose/compose-target.ts";
import { maxTopicLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { channelName, topicName } from "../shared/text/names.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { isComposing } from "../ui/is-composing.ts";
import { createListbox } from "../ui/listbox.ts";
import { live } from "../ui/live.ts";
import { Options } from "../ui/options.tsx";

const MAX_SHOWN = 8;

/** A channel of one's own by its name; the first ones of the list while nothing is typed. */
export function ChannelField() {
  const [text, setText] = createSignal("");
  const [isOpen, setOpen] = createSignal(false);
  const channels = live(["channels", "subscriptions", "folders", "settings", "generation"], () =>
    listSections().flatMap(({ active, inactive, muted }) => [...active, ...inactive, ...muted]),
  );
  const found = createMemo(() => {
    const all = channels().map((id, order) => ({ item: id, name: channelName(id), order }));
    const wanted = text().trim().replace(/^#/, "");
    return wanted === "" ? all.slice(0, MAX_SHOWN).map(({ item }) => item) : best(all, wanted, MAX_SHOWN);
  });
  const list = createListbox({
    items: found,
    isOpen,
    onChoose: (channelId) => openBox({ kind: "channel", channelId, topic: undefined }),
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    if (event.key === "Escape") composeTo(undefined);
    else if (event.key === "ArrowDown") setOpen(true);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  }

  return (
    <>
      <input
        ref={(element) => {
          list.attach(element);
          focusIfAsked(element);
        }}
        class="channel-field"
        aria-label={t("compose.channel")}
        placeholder={t("compose.chooseChannel")}
        autocomplete="off"
        dir="auto"
        value={text()}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          list.setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options list={list} class="completions" label={t("compose.channel")}>
        {(id) => (
          <>
            <span class="completion-sign channel-sign" style={{ "--h": hueOf(id) }} aria-hidden="true">
              <Icon name={state.model.channels.get(id)?.isPrivate ? "lock" : "hash"} />
            </span>
            <bdi>{channelName(id)}</bdi>
          </>
        )}
      </Options>
    </>
  );
}

/** The topic of a channel's message: one that is there, or another. */
export function TopicField(props: { channelId: number; topic: string; onTopic(topic: string): void }) {
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
    focusCompose();
  };
  const list = createListbox({ items: found, isOpen, onChoose: choose });

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    if (event.key === "Enter") {
      setOpen(false);
      focusCompose();
    } else if (event.key === "Escape" && list.isShown()) setOpen(false);
    else if (event.key === "Escape") composeTo(undefined);
    else if (event.key !== "ArrowDown") return;
    else {
      list.setAt(0);
      setOpen(true);
    }
    event.preventDefault();
  }

  return (
    <>
      <input
        ref={(element) => {
          list.attach(element);
          focusIfAsked(element, () => props.channelId !== 0);
        }}
        aria-label={t("compose.topic")}
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
    </>
  );
}

/** The first field of a place that is asked for gets the focus; what is in it can be replaced. */
function focusIfAsked(field: HTMLInputElement, isNext = () => true): void {
  createEffect(() => {
    if (!isPlaceAsked() || !isNext()) return;
    stopAsking();
    queueMicrotask(() => {
      field.focus();
      field.select();
    });
  });
}

function hueOf(channelId: number) {
  return channelHue(state.model.subscriptions.byChannel.get(channelId)?.color);
}

function unreadIn(channelId: number, topic: string): number {
  return state.model.unreads.inTopic(channelId, topic).size;
}
