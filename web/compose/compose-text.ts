/** What is being written and to whom: the text with its draft, the topic, and sending. */
import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from "solid-js";
import { countCharacters } from "../../client/count-characters.ts";
import type { Conversation } from "../../client/narrow.ts";
import type { Address } from "../../client/outbox/message.ts";
import { t } from "../i18n/t.ts";
import { choosing, isOpenPlace, placeKey } from "../shared/compose/begun-text.ts";
import { chosen, composeTo, offered, takeOffered } from "../shared/compose/compose-target.ts";
import { removeIfSent, takeBegun, texts, textsVersion } from "../shared/compose/texts.ts";
import { maxMessageLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { endPlaces } from "../shared/uploads/places.ts";
import { livePlaces, placesIn } from "../shared/uploads/uploads.ts";
import { TypingNotices } from "./typing-notices.ts";

/** `ofView`: the conversation on the screen, if it is one. */
export function createComposeText(ofView: () => Conversation | undefined) {
  const target = createMemo<Conversation | undefined>(() => {
    const other = chosen();
    return other === "choosing" ? choosing : (other ?? ofView());
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
  let shown: Conversation | undefined;
  onCleanup(() => {
    notices.stop();
    if (shown) texts().leave(shown);
    composeTo(undefined);
  });
  createEffect(on([target, textsVersion], ([place]) => show(place)));
  createEffect(() => {
    const more = offered();
    if (more === undefined) return;
    if (!untrack(target)) composeTo("choosing");
    untrack(() => append(more));
    takeOffered();
  });

  /** What was typed goes along while its place is still being chosen. An older text of the place is kept. */
  function show(place: Conversation | undefined): void {
    const before = shown;
    const isBegun = takeBegun(place);
    shown = place;
    const isTurned = before !== undefined && (!place || placeKey(place) !== placeKey(before));
    const isChosen = place && chosen() !== undefined && (isOpenPlace(before) || isNewMessage());
    if (isTurned) {
      const goesAlong = isChosen && !isBegun;
      if (!(goesAlong && texts().takeAlong(before, place))) texts().leave(before);
      setProblem(undefined);
    }
    const begun = place && texts().at(place);
    setText(endPlaces(begun?.content ?? "", livePlaces()));
    setTopic(begun?.topic ?? "");
  }

  function write(value: string): void {
    setText(value);
    setProblem(undefined);
    const place = target();
    if (!place) return;
    texts().write(place, value, topic());
    if (!isOpenPlace(place)) notices.note(place, value);
  }

  function writeTopic(value: string): void {
    setTopic(value);
    const place = target();
    if (place) texts().write(place, text(), value);
  }

  /** As a paragraph of its own. */
  function append(more: string): void {
    const place = target();
    const before = ((place && texts().at(place)?.content) ?? "").trimEnd();
    write(before === "" ? more : `${before}\n\n${more}`);
  }

  const other = createMemo(() => {
    textsVersion();
    const place = target();
    return place && texts().listOthers(place)[0];
  });

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
  function ready(): { to: Address; content: string; place: Conversation } | undefined {
    const content = text().trim();
    const place = target();
    if (!place || content === "" || countCharacters(content) > maxMessageLength()) return undefined;
    const whole = endPlaces(content, livePlaces());
    if (whole !== content) {
      write(whole);
      setProblem(t("upload.lost"));
      return undefined;
    }
    const to = address();
    if (typeof to !== "string") return { to, content, place };
    setProblem(to);
    return undefined;
  }

  /** Whether there was something to send, and a place. */
  function send(): boolean {
    const message = ready();
    if (!message) return false;
    notices.stop();
    state.outbox.send(message.to, message.content, placesIn(message.content));
    const typed = topic();
    removeIfSent(message.place, message.content);
    // The next message of a channel's view mostly has the same topic.
    if (typed !== "") writeTopic(typed);
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
    setTopic: writeTopic,
    problem,
    ready,
    send,
    sendOther,
    /** Another text that was begun for the same place. */
    other,
    showOther: () => {
      const one = other();
      if (one) texts().show(one.id);
    },
    stopTyping: () => notices.stop(),
  };
}
