/** The fields for a channel and a topic of the message box. They are fetched when a place is open. */
import { createEffect } from "solid-js";
import { ChannelField } from "../shared/channels/channel-field.tsx";
import { listSections } from "../shared/channels/channel-order.ts";
import {
  composeTo,
  focusCompose,
  isPlaceAsked,
  openBox,
  stopAsking,
} from "../shared/compose/compose-target.ts";
import { TopicField } from "../shared/topics/topic-field.tsx";
import { live } from "../ui/live.ts";

/** One of one's own channels; the first ones of the list while nothing is typed. */
export function OwnChannelField(props: { channelId: number }) {
  const channels = live(["channels", "subscriptions", "folders", "settings", "generation"], () =>
    listSections().flatMap(({ active, inactive, muted }) => [...active, ...inactive, ...muted]),
  );
  return (
    <ChannelField
      channels={channels()}
      channelId={props.channelId}
      onChoose={(channelId) => openBox({ kind: "channel", channelId, topic: undefined })}
      onEscape={() => composeTo(undefined)}
      ref={(field) => focusIfAsked(field, () => props.channelId === 0)}
    />
  );
}

/** The topic of a channel's message: one that is there, or another. */
export function MessageTopicField(props: { channelId: number; topic: string; onTopic(topic: string): void }) {
  return (
    <TopicField
      channelId={props.channelId}
      topic={props.topic}
      onTopic={props.onTopic}
      onChoose={focusCompose}
      onEnter={focusCompose}
      onEscape={() => composeTo(undefined)}
      ref={(field) => focusIfAsked(field, () => props.channelId !== 0)}
    />
  );
}

/** The first field of a place that is asked for gets the focus; what is in it can be replaced. */
function focusIfAsked(field: HTMLInputElement, isNext: () => boolean): void {
  createEffect(() => {
    if (!isPlaceAsked() || !isNext()) return;
    stopAsking();
    queueMicrotask(() => {
      field.focus();
      field.select();
    });
  });
}

/** The first field of the place that is empty gets the focus, and is marked until something is typed. */
export function showMissing(form: HTMLElement): void {
  const fields = form.querySelectorAll<HTMLInputElement>(".recipient input");
  const missing = [...fields].find(({ value }) => value.trim() === "");
  if (!missing) return;
  missing.setAttribute("aria-invalid", "true");
  missing.addEventListener("input", () => missing.removeAttribute("aria-invalid"), { once: true });
  missing.focus();
}
