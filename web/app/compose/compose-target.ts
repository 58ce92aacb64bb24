/** Where the message box writes to, if the view is not a single conversation. Set by the feed and by keys. */
import { createSignal } from "solid-js";
import type { Conversation } from "../../../client/narrow.ts";

const [chosen, setChosen] = createSignal<Conversation | "choosing" | undefined>();
/** Raised when the text field should have the focus. */
const [focusRequests, setFocusRequests] = createSignal(0);
/** A text that goes into the field: a failed message that is edited replaces it, a quotation joins it. */
const [offered, setOffered] = createSignal<{ text: string; joins: boolean } | undefined>();

/** Raised when the viewer's last message here should be edited. */
const [editRequests, setEditRequests] = createSignal(0);

export { chosen, editRequests, focusRequests, offered };

export function composeTo(place: Conversation | "choosing" | undefined): void {
  setChosen(place);
}

export function focusCompose(): void {
  setFocusRequests((count) => count + 1);
}

export function editLastMessage(): void {
  setEditRequests((count) => count + 1);
}

export function offerText(text: string): void {
  setOffered({ text, joins: false });
  focusCompose();
}

export function insertText(text: string): void {
  setOffered({ text, joins: true });
  focusCompose();
}

export function takeOffered(): void {
  setOffered(undefined);
}
