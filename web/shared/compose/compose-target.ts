/** Where the message box writes to, if the view is not a single conversation. Set by the feed and by keys. */
import { batch, createSignal } from "solid-js";
import type { TopicMove } from "../../../client/moved-topics.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { placeKey } from "./begun-text.ts";

const [chosen, setChosen] = createSignal<Conversation | "choosing" | undefined>();
/** Raised when the text field should have the focus. */
const [focusRequests, setFocusRequests] = createSignal(0);
/** A text that joins what is in the field, as a quotation does. */
const [offered, setOffered] = createSignal<string | undefined>();

/** Raised when the viewer's last message here should be edited. */
const [editRequests, setEditRequests] = createSignal(0);

/** Whether the first field of the place should have the focus, once it is there. */
const [isPlaceAsked, setPlaceAsked] = createSignal(false);

export { chosen, editRequests, focusRequests, isPlaceAsked, offered };

export function composeTo(place: Conversation | "choosing" | undefined): void {
  stopAsking();
  setChosen(place);
}

/**
 * Opens the box over what is on the screen, whatever that is. The first field that is open gets the focus:
 * the channel's, the topic's, or that of the people, which takes it itself.
 */
export function openBox(place: Conversation | "choosing"): void {
  batch(() => {
    setChosen(place);
    setPlaceAsked(place === "choosing" || place.kind === "channel");
  });
}

export function stopAsking(): void {
  setPlaceAsked(false);
}

/** A topic that was chosen goes along when it is moved. */
export function moveTarget(moves: readonly TopicMove[]): void {
  for (const { from, to } of moves) {
    const place = chosen();
    if (typeof place !== "object" || placeKey(place) !== placeKey({ kind: "channel", ...from })) continue;
    setChosen({ kind: "channel", ...to });
  }
}

export function focusCompose(): void {
  setFocusRequests((count) => count + 1);
}

export function editLastMessage(): void {
  setEditRequests((count) => count + 1);
}

export function insertText(text: string): void {
  setOffered(text);
  focusCompose();
}

export function takeOffered(): void {
  setOffered(undefined);
}
