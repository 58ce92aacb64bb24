/** The messages of one view: opens its window, keeps its rows, and fetches more at both ends. */
import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import type { PageRequest } from "../../client/message-windows/fetch-page.ts";
import type { Narrow } from "../../client/narrow.ts";
import { state } from "../app/state.ts";
import { live } from "../ui/live.ts";
import { type Opening, openingOf } from "./opening.ts";
import { type Row, Rows } from "./rows.ts";

const AROUND = 60;
const PAGE = 100;

export interface RowList {
  rows: readonly Row[];
  /**
   * The oldest known message while older ones are still to come. It is not shown, but decides what the first
   * shown row looks like, which so stays the same when they come.
   */
  hidden: Row | undefined;
  /** The new rows are above the known ones. */
  isPrepended: boolean;
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

  const changed = live([`windows:${window.key}`, "outbox", "generation"], () => all.of(window));
  const list = createMemo<RowList>(
    (before) => {
      const known = changed();
      const hidden = window.foundOldest || known.length < 2 ? undefined : known[0];
      const rows = hidden ? known.slice(1) : known;
      const first = before.rows[0];
      const isPrepended = first !== undefined && rows[0] !== first && rows.includes(first);
      return { rows, hidden, isPrepended };
    },
    { rows: [], hidden: undefined, isPrepended: false },
  );

  async function load(what: NonNullable<typeof loading>, request: PageRequest): Promise<number | undefined> {
    if (loading) return undefined;
    loading = what;
    try {
      const anchor = await state.load(window, request);
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

  async function open(): Promise<void> {
    const wanted = openingOf(narrow);
    const id = "id" in wanted ? wanted.id : undefined;
    const isKnown = window.isLoaded && (id === undefined ? window.foundNewest : window.covers(id));
    if (isKnown && wanted.kind !== "ask") {
      setOpening(wanted);
      return;
    }
    const anchor = id ?? (wanted.kind === "ask" ? "first_unread" : "newest");
    const found = await load("open", { anchor, before: AROUND, after: AROUND });
    if (found === undefined || isGone) return;
    setOpening(wanted.kind === "ask" ? { kind: "unread", id: found } : wanted);
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

  async function loadNewer(): Promise<void> {
    const anchor = window.ids.at(-1);
    if (window.isLoaded && !window.foundNewest)
      await load("newer", { anchor: anchor ?? "newest", before: 1, after: PAGE });
  }

  return {
    narrow,
    list,
    opening,
    problem,
    retry: () => (window.isLoaded ? refresh() : open()),
    isEmpty: () => changed().length === 0 && window.isLoaded && window.foundOldest && window.foundNewest,
    hasNewest: () => changed() && window.foundNewest,
    loadNewer,
    async loadOlder() {
      const anchor = window.ids[0];
      if (window.isLoaded && !window.foundOldest && anchor !== undefined)
        await load("older", { anchor, before: PAGE, after: 0 });
    },
    /** Leaves the known range, if need be, for the newest messages. */
    async jumpToNewest() {
      if (!window.foundNewest) await load("open", { anchor: "newest", before: AROUND, after: 0 });
    },
  };
}
