/** The messages of one view: opens its window, keeps its rows, and fetches more at both ends. */
import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import type { PageReply, PageRequest } from "../../client/message-windows/fetch-page.ts";
import type { Narrow } from "../../client/narrow.ts";
import { takeEarly } from "../app/state/early-page.ts";
import { state } from "../app/state/state.ts";
import { whenBack } from "../app/state/when-back.ts";
import { live } from "../ui/live.ts";
import { type Opening, openingOf } from "./opening.ts";
import { type Row, Rows } from "./rows.ts";

const AROUND = 60;
const PAGE = 100;
/** Above the place where a view opens, for the part of it that shows what was before. */
const CONTEXT_ROWS = 20;

export interface RowList {
  rows: readonly Row[];
  /**
   * The oldest known message while older ones are still to come. It is not shown, but decides what the first
   * shown row looks like, which so stays the same when they come.
   */
  hidden: Row | undefined;
}

export function createFeedView(narrow: Narrow) {
  const window = state.windows.open(narrow);
  const all = new Rows();
  const [problem, setProblem] = createSignal<string>();
  const [opening, setOpening] = createSignal<Opening>();
  let loading: "older" | "newer" | "open" | undefined;
  let isGone = false;
  state.windowInUse = window;
  onCleanup(() => {
    isGone = true;
    if (state.windowInUse === window) state.windowInUse = undefined;
  });

  const changed = live([`windows:${window.key}`, "outbox", "mutedUsers", "generation"], () => all.of(window));
  const list = createMemo<RowList>(() => {
    const known = changed();
    const start = Number(!window.foundOldest && known.length > 1);
    return { rows: start > 0 ? known.slice(start) : known, hidden: known[start - 1] };
  });

  async function load(
    what: NonNullable<typeof loading>,
    request: PageRequest,
    early?: PageReply,
  ): Promise<number | undefined> {
    if (loading) return undefined;
    loading = what;
    try {
      const anchor = await state.load(window, request, early);
      setProblem(undefined);
      return anchor;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return undefined;
    } finally {
      loading = undefined;
    }
  }

  const hasContext = (id: number) =>
    window.foundOldest || window.ids.findIndex((one) => one >= id) >= CONTEXT_ROWS;

  async function open(): Promise<void> {
    const wanted = openingOf(narrow);
    const id = "id" in wanted ? wanted.id : undefined;
    // What comes above a view that is not full moves all of it.
    const isFull = window.foundOldest || window.ids.length > AROUND;
    const isReached = id === undefined ? window.foundNewest : window.covers(id) && hasContext(id);
    const isKnown = window.isLoaded && isFull && isReached;
    if (isKnown && wanted.kind !== "ask") {
      setOpening(wanted);
      return;
    }
    const anchor = id ?? (wanted.kind === "ask" ? "first_unread" : "newest");
    const request = { anchor, before: AROUND, after: AROUND } as const;
    const early = await takeEarly(narrow);
    let found = await load("open", request, early);
    if (early && id !== undefined && !window.covers(id)) found = await load("open", request);
    if (found === undefined || isGone) return;
    setOpening(wanted.kind === "ask" ? { kind: "unread", id: found } : wanted);
    // A message may have been sent after the page was read and before the queue of events began.
    if (early) await load("newer", newerPage());
  }

  void open();
  let generation = state.generation;
  const current = live("generation", () => state.generation);
  createEffect(() => {
    if (current() === generation) return;
    generation = current();
    void refresh();
  });

  /** After a new snapshot: again from the oldest message on the screen, where the reader is. */
  async function refresh(): Promise<void> {
    const anchor = window.ids.at(-AROUND) ?? window.ids[0] ?? "newest";
    await load("open", { anchor, before: 0, after: PAGE + AROUND });
    while (!window.foundNewest && !problem() && !isGone) await loadNewer();
  }

  const newerPage = (): PageRequest => ({ anchor: window.ids.at(-1) ?? "newest", before: 1, after: PAGE });

  async function loadNewer(): Promise<void> {
    if (window.isLoaded && !window.foundNewest) await load("newer", newerPage());
  }

  const retry = () => (window.isLoaded ? refresh() : open());
  whenBack(() => problem() !== undefined && void retry());

  return {
    narrow,
    list,
    /** Before, nobody knows at which row the view opens. */
    hasPlace: () => opening() !== undefined || problem() !== undefined,
    opening,
    problem,
    retry,
    isEmpty: () => changed().length === 0 && window.isLoaded && window.foundOldest && window.foundNewest,
    hasNewest: () => changed() && window.foundNewest,
    loadNewer,
    async loadOlder() {
      const anchor = window.ids[0];
      if (window.isLoaded && !window.foundOldest && anchor !== undefined)
        await load("older", { anchor, before: PAGE, after: 0 });
    },
    /** Gives the first message since the moment, or else the newest one; undefined: that failed. */
    goToDate: (date: Date) => load("open", { anchor: { sentAfter: date }, before: AROUND, after: AROUND }),
    /** Leaves the known range, if need be, for the newest messages. */
    async jumpToNewest() {
      if (!window.foundNewest) await load("open", { anchor: "newest", before: AROUND, after: 0 });
    },
  };
}
