/**
 * The address as a value. Links are plain links to hashes; Back and forward are the browser's. Each entry of
 * the history keeps where its view was scrolled to.
 */
import { createSignal } from "solid-js";
import { combinedFeed, type Narrow } from "../../client/narrow.ts";
import { hashOfNarrow, parseNarrowHash } from "../../client/narrow-hash.ts";

export type Route =
  | { view: "home" | "inbox" }
  | { view: "messages"; narrow: Narrow; near: number | undefined; with: number | undefined };

/** The message at the top of the view, and how many pixels of it are above. */
export interface Anchor {
  id: number;
  offset: number;
}

const [route, setRoute] = createSignal(read());

export { route };

/** Where the view of this entry of the history was left. */
export function savedAnchor(): Anchor | undefined {
  return (history.state as { anchor?: Anchor } | null)?.anchor;
}

export function saveAnchor(anchor: Anchor | undefined): void {
  history.replaceState(anchor ? { anchor } : null, "");
}

export function go(hash: string): void {
  if (location.hash !== hash) location.hash = hash;
}

export function goToNarrow(narrow: Narrow): void {
  go(hashOfNarrow({ narrow }));
}

/** Another address for the same entry of the history. */
export function replaceRoute(hash: string): void {
  history.replaceState(history.state, "", hash);
  setRoute(read());
}

export function watchAddress(): void {
  addEventListener("hashchange", () => setRoute(read()));
}

function read(): Route {
  const hash = location.hash;
  if (hash === "#feed") return { view: "messages", narrow: combinedFeed, near: undefined, with: undefined };
  const place = parseNarrowHash(hash);
  if (place) return { view: "messages", narrow: place.narrow, near: place.near, with: place.with };
  return { view: hash === "#inbox" ? "inbox" : "home" };
}
