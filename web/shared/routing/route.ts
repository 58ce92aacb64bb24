/**
 * The address as a value. Links are plain links to hashes; Back and forward are the browser's. Each entry of
 * the history keeps where its view was scrolled to.
 */
import { createSignal } from "solid-js";
import { combinedFeed, type Narrow } from "../../../client/narrow.ts";
import { hashOfNarrow, parseNarrowHash } from "../../../client/narrow-hash.ts";

export type Route =
  | { view: "home" | ListView }
  /** `path`: what follows in the address, as of `#channels/4/design/general`. */
  | { view: SettingsView; path: readonly string[] }
  /** Somebody's profile. */
  | { view: "user"; userId: number }
  | { view: "messages"; narrow: Narrow; near: number | undefined; with: number | undefined };

const listViews = ["inbox", "recent", "drafts", "scheduled", "reminders"] as const;
type ListView = (typeof listViews)[number];

const settingsViews = ["settings", "organization", "channels", "groups"] as const;
export type SettingsView = (typeof settingsViews)[number];

/** The message at the top of the view, and how many pixels of it are above. */
export interface Anchor {
  id: number;
  offset: number;
}

let readHash = location.hash;
/** Whether the address changed by itself, as it does when a topic is moved. */
let isReplaced = false;
const [route, setRoute] = createSignal(read());

export { route };

/** Whether the page went along with something that was moved: nobody has gone elsewhere. */
export function hasFollowed(): boolean {
  return isReplaced;
}

/** Where the view of this entry of the history was left. */
export function savedAnchor(): Anchor | undefined {
  return (history.state as { anchor?: Anchor } | null)?.anchor;
}

export function saveAnchor(anchor: Anchor | undefined): void {
  const known = savedAnchor();
  if (known?.id === anchor?.id && known?.offset === anchor?.offset) return;
  history.replaceState({ ...(history.state as object | null), anchor }, "");
}

/** Opens an address to look something up: what is shown does not count as read. */
export function goQuietly(hash: string): void {
  if (location.hash === hash) return;
  readHash = hash;
  history.pushState({ isQuiet: true }, "", hash);
  readAddress();
}

export function isQuietEntry(): boolean {
  return (history.state as { isQuiet?: boolean } | null)?.isQuiet ?? false;
}

export function go(hash: string): void {
  if (location.hash !== hash) location.hash = hash;
}

export function goToNarrow(narrow: Narrow): void {
  go(hashOfNarrow({ narrow }));
}

/** Another address for the same entry of the history. */
export function replaceRoute(hash: string): void {
  readHash = hash;
  history.replaceState(history.state, "", hash);
  readAddress(true);
}

/** Gives whether a change of the address is to have no effect. `before`: the hash that is on the screen. */
type Guard = (before: string) => boolean;
let isHeld: Guard | undefined;

/** `guard` is asked whenever the person changes the address. */
export function guardRoute(guard: Guard): void {
  isHeld = guard;
}

/** Where the browser has the first event, it comes at once. The second one comes in a later frame. */
export function watchAddress(): void {
  if ("navigation" in window) window.navigation.addEventListener("currententrychange", followAddress);
  addEventListener("hashchange", followAddress);
}

function followAddress(): void {
  if (location.hash === readHash || isHeld?.(readHash)) return;
  readAddress();
}

function readAddress(hasFollowed = false): void {
  isReplaced = hasFollowed;
  readHash = location.hash;
  setRoute(read());
}

function read(): Route {
  const hash = location.hash;
  if (hash === "#feed") return { view: "messages", narrow: combinedFeed, near: undefined, with: undefined };
  const place = parseNarrowHash(hash);
  if (place) return { view: "messages", narrow: place.narrow, near: place.near, with: place.with };
  const list = listViews.find((view) => hash === `#${view}`);
  if (list) return { view: list };
  const [name, ...path] = hash.slice(1).split("/");
  const settings = settingsViews.find((view) => view === name);
  if (settings) return { view: settings, path: path.filter((part) => part !== "") };
  const user = /^#user\/(\d{1,15})$/.exec(hash)?.[1];
  if (user !== undefined) return { view: "user", userId: Number(user) };
  return { view: "home" };
}
