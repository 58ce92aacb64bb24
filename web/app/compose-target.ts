/** Where the message box writes to, if the view is not a single conversation. Set by the feed and by keys. */
import { createSignal } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";

const [chosen, setChosen] = createSignal<Conversation | "choosing" | undefined>();
/** Raised when the text field should have the focus. */
const [focusRequests, setFocusRequests] = createSignal(0);
/** A text that goes into the field: a failed message that is edited. */
const [offered, setOffered] = createSignal<string | undefined>();

export { chosen, focusRequests, offered };

export function composeTo(place: Conversation | "choosing" | undefined): void {
  setChosen(place);
}

export function focusCompose(): void {
  setFocusRequests((count) => count + 1);
}

export function offerText(text: string | undefined): void {
  setOffered(text);
}
