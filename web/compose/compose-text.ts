/** What is being written and to whom: the text with its draft, the topic, and sending. */
import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { choosing, isOpenPlace, placeKey } from "../shared/compose/begun-text.ts";
import { chosen, composeTo, offered, takeOffered } from "../shared/compose/compose-target.ts";
import { takeBegun, texts, textsVersion } from "../shared/compose/texts.ts";
import { endPlaces } from "../shared/uploads/places.ts";
import { livePlaces } from "../shared/uploads/uploads.ts";
import { createSending } from "./sending.ts";
import { TypingNotices } from "./typing-notices.ts";

/** `ofView`: the conversation on the screen, if it is one. */
export function createComposeText(ofView: () => Conversation | undefined) {
  const { target, isNewMessage } = createTarget(ofView);
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

  const stopTyping = () => notices.stop();
  return {
    target,
    isNewMessage,
    text,
    write,
    append,
    topic,
    setTopic: writeTopic,
    problem,
    ...createSending({ target, text, write, topic, writeTopic, setProblem, stopTyping }),
    /** Another text that was begun for the same place. */
    other,
    showOther: () => {
      const one = other();
      if (one) texts().show(one.id);
    },
    stopTyping,
  };
}

/** Where the message goes: the conversation on the screen, or the one that was chosen instead. */
function createTarget(ofView: () => Conversation | undefined) {
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
  return { target, isNewMessage };
}
