/** Whether the field for searches is open, and what it began with. Any region may open it. */
import { createSignal } from "solid-js";
import type { Narrow } from "../../../client/narrow.ts";

const [request, setRequest] = createSignal<{ terms: Narrow } | undefined>();

export { request as searchRequest };

/** `terms`: what the search begins with, such as a conversation. */
export function startSearch(terms: Narrow = []): void {
  setRequest({ terms });
}

export function closeSearch(): void {
  setRequest(undefined);
}
