/** What is being written and to whom: the text with its draft, the topic, and sending. */
import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import type { Address } from "../../client/outbox/message.ts";
import { chosen, composeTo, offered, takeOffered } from "../app/compose/compose-target.ts";
import { draftKey, draftOf, keepDraft } from "../app/compose/drafts.ts";
import { setOpenText } from "../app/compose/texts.ts";
import { state } from "../app/state/state.ts";
import { endPlaces } from "../app/uploads/places.ts";
import { livePlaces, placesIn } from "../app/uploads/uploads.ts";
import { t } from "../i18n/t.ts";
import { maxMessageLength } from "./message-length.ts";
import { TypingNotices } from "./typing-notices.ts";

/** `ofView`: the conversation on the screen, if it is one. */
export function createComposeText(ofView: () => Conversation | undefined) {
  const target = createMemo<Conversation | undefined>(() => {
    const other = chosen();
    return other === "choosing" ? { kind: "channel", channelId: 0, topic: undefined } : (other ?? ofView());
  });
  /** Begun without people, until it is sent or left. */
  const isNewMessage = createMemo<boolean>((was) => {
    const other = chosen();
    if (typeof other !== "object" || other.kind !== "direct") return false;
    return was || other.userIds.length === 0;
  }, false);
  const [text, setText] = createSignal("");
  const [topic, setTopic] = createSignal("");
  const [problem, setProblem] = createSignal<string>();
  const notices = new TypingNotices();
  setOpenText({ place: target, text, write });
  onCleanup(() => {
    setOpenText(undefined);
    notices.stop();
    composeTo(undefined);
  });
  createEffect(on(target, (place, before) => takeDraft(place, before)));
  createEffect(() => {
    const given = offered();
    if (given === undefined) return;
    if (given.joins) append(given.text);
    else write(given.text);
    takeOffered();
  });

  /** A text goes along while its place is still being chosen. */
  function takeDraft(place: Conversation | undefined, before: Conversation | undefined): void {
    if (before && draftKey(place) === draftKey(before)) return;
    const draft = endPlaces(draftOf(place), livePlaces());
    const goesAlong = draft === "" && chosen() !== undefined && (isOpen(before) || isNewMessage());
    if (!goesAlong) return void setText(draft);
    keepDraft(before, "");
    keepDraft(place, text());
  }

  function write(value: string): void {
    setText(value);
    setProblem(undefined);
    const place = target();
    keepDraft(place, value);
    if (place && !isOpen(place)) notices.note(place, value);
  }

  /** As a paragraph of its own. */
  function append(more: string): void {
    const before = text().trimEnd();
    write(before === "" ? more : `${before}\n\n${more}`);
  }

  /** Where it goes; or what is still missing, in words. */
  function address(): Address | string {
    const place = target();
    if (!place) return t("compose.needChannel");
    if (place.kind === "direct") return place.userIds.length === 0 ? t("compose.needPeople") : place;
    const { channelId } = place;
    const name = place.topic ?? topic().trim();
    if (channelId === 0) return t("compose.needChannel");
    if (place.topic === undefined && name === "") return t("compose.needTopic");
    return { kind: "channel", channelId, topic: name };
  }

  /** The text, if there is one of an allowed length, and where it goes. Says what is missing. */
  function ready(): { to: Address; content: string } | undefined {
    const content = text().trim();
    if (content === "" || content.length > maxMessageLength()) return undefined;
    const whole = endPlaces(content, livePlaces());
    if (whole !== content) {
      write(whole);
      setProblem(t("upload.lost"));
      return undefined;
    }
    const to = address();
    if (typeof to !== "string") return { to, content };
    setProblem(to);
    return undefined;
  }

  /** Whether there was something to send, and a place. */
  function send(): boolean {
    const message = ready();
    if (!message) return false;
    notices.stop();
    state.outbox.send(message.to, message.content, placesIn(message.content));
    write("");
    return true;
  }

  /** A text of its own, beside what is being written. Gives what is missing, in words. */
  function sendOther(content: string): string | undefined {
    const to = address();
    if (typeof to === "string") return to;
    state.outbox.send(to, content);
    return undefined;
  }

  return {
    target,
    isNewMessage,
    text,
    write,
    append,
    topic,
    setTopic,
    problem,
    ready,
    send,
    sendOther,
    stopTyping: () => notices.stop(),
  };
}

/** The channel, its topic or the people are not chosen yet. */
function isOpen(place: Conversation | undefined): boolean {
  if (place?.kind === "direct") return place.userIds.length === 0;
  return place !== undefined && (place.channelId === 0 || place.topic === undefined);
}
