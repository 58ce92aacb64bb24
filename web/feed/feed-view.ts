/** The messages of one view: opens its window, keeps its rows, and fetches more at both ends. */
import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { AROUND } from "../../client/message-windows/open-window.ts";
import { conversationOf, type Narrow } from "../../client/narrow.ts";
import { followMessage } from "../shared/routing/follow-moves.ts";
import { route } from "../shared/routing/route.ts";
import { takeEarly } from "../shared/state/early-page.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { live } from "../ui/live.ts";
import { type Row, Rows } from "./rows/rows.ts";
import { type Opening, openingOf } from "./scroll/opening.ts";

/** Above the place where a view opens, for the part of it that shows what was before. */
const CONTEXT_ROWS = 20;

/** Where the server could not be asked whether a conversation lives elsewhere. */
const TRY_AGAIN_MS = 5000;

export interface RowList {
  rows: readonly Row[];
  /**
   * The oldest known message while older ones are still to come. It is not shown, but decides what the first
   * shown row looks like, which so stays the same when they come.
   */
  hidden: Row | undefined;
}

/** `topOfView`: the message at the top of the view. */
export function createFeedView(narrow: Narrow, topOfView: () => number | undefined) {
  const isVisible = () => document.visibilityState === "visible";
  const opened = state.openWindow(narrow, { topOfView, isVisible });
  const { window } = opened;
  const all = new Rows();
  const [opening, setOpening] = createSignal<Opening>();
  const own = `windows:${window.key}`;
  const wake = () => opened.wake();
  for (const sign of ["focus", "visibilitychange"]) addEventListener(sign, wake);
  onCleanup(() => {
    for (const sign of ["focus", "visibilitychange"]) removeEventListener(sign, wake);
    opened.close();
  });

  const changed = live([own, "outbox", "mutedUsers", "generation"], () => all.of(window));
  const problem = live(own, () => opened.problem);
  /** Whether a search that ended early goes on by itself, or waits to be asked. */
  const searching = live(own, () => {
    if (opened.isSearchingOn) return "on";
    const isCut = window.searchedFrom !== undefined && !window.isOutdated && opened.problem === undefined;
    return isCut ? "paused" : undefined;
  });
  const list = createMemo<RowList>(() => {
    const known = changed();
    const start = Number(!window.foundOldest && known.length > 1);
    return { rows: start > 0 ? known.slice(start) : known, hidden: known[start - 1] };
  });
  const isEmpty = createEmptiness(narrow, () => {
    const isKnown = window.isLoaded && !window.isOutdated && window.foundOldest && window.foundNewest;
    return changed().length > 0 ? false : isKnown || undefined;
  });

  const hasContext = (id: number) =>
    window.foundOldest || window.ids.findIndex((other) => other >= id) >= CONTEXT_ROWS;

  async function open(): Promise<void> {
    const wanted = openingOf(narrow);
    const id = "id" in wanted ? wanted.id : undefined;
    // What comes above a view that is not full moves all of it.
    const isFull = window.foundOldest || window.ids.length > AROUND;
    const isReached = id === undefined ? window.foundNewest : window.covers(id) && hasContext(id);
    const anchor = id ?? (wanted.kind === "ask" ? "first_unread" : "newest");
    if (window.isLoaded && isFull && isReached && wanted.kind !== "ask") {
      setOpening(wanted);
      opened.openKnown(anchor);
      return;
    }
    const early = await takeEarly(narrow);
    let found = await opened.open(anchor, early);
    if (early && id !== undefined && !window.covers(id)) found = await opened.open(anchor);
    if (found !== undefined) setOpening(wanted.kind === "ask" ? { kind: "unread", id: found } : wanted);
  }

  const isOpened = open().then(() => {
    const current = route();
    if (current.view !== "messages" || current.near === undefined || window.has(current.near)) return;
    if (window.isLoaded && conversationOf(narrow)) void followMessage(current.near);
  });
  createEffect(() => {
    changed();
    // What could not be fetched at first has come in the meantime.
    if (window.isLoaded && opening() === undefined)
      void isOpened.then(() => opening() ?? setOpening(openingOf(narrow)));
  });

  const retry = () => (window.isLoaded ? opened.retry() : open());
  whenBack(() => (problem() === undefined ? opened.wake() : void retry()));

  return {
    narrow,
    list,
    /** Before, nobody knows at which row the view opens. */
    hasPlace: () => opening() !== undefined || problem() !== undefined,
    opening,
    problem,
    retry,
    searching,
    searchOn: () => opened.searchOn(),
    isEmpty,
    hasNewest: () => changed() && window.foundNewest,
    loadNewer: () => opened.loadNewer(),
    loadOlder: () => opened.loadOlder(),
    goToDate: (date: Date) => opened.goToDate(date),
    jumpToNewest: () => opened.jumpToNewest(),
  };
}

/**
 * Whether to say that there is nothing. `isBare`: undefined while that is being asked. A conversation may
 * live under another name, to which the address then goes.
 */
function createEmptiness(narrow: Narrow, isBare: () => boolean | undefined): () => boolean {
  const [isSure, setSure] = createSignal(false);
  const generation = live("generation", () => state.generation);
  const [attempt, tryAgain] = createSignal(0);
  let asked: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  createEffect(() => {
    if (isBare() === false) asked = undefined;
    if (isBare() !== true || asked === `${generation()} ${attempt()}`) return;
    asked = `${generation()} ${attempt()}`;
    setSure(false);
    void isReallyEmpty(narrow).then((isHere) => {
      setSure(isHere);
      if (!isHere) timer = setTimeout(() => tryAgain((count) => count + 1), TRY_AGAIN_MS);
    });
  });
  return () => isSure() && isBare() !== false;
}

async function isReallyEmpty(narrow: Narrow): Promise<boolean> {
  const place = conversationOf(narrow);
  if (place?.kind !== "channel" || place.topic === undefined) return true;
  try {
    const { findElsewhere } = await import("../shared/routing/find-elsewhere.ts");
    return await findElsewhere(narrow);
  } catch {
    // A part of the program that can't be fetched now. It is asked for again.
    return false;
  }
}
