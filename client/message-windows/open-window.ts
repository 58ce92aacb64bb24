/**
 * A window on the screen: what it asks the server for, one request after another. It is the one place that
 * decides when to ask again. An outdated window is cut to what is fetched again around the message at the top
 * of the view. Requests that nobody waits for have a pause between them and rest while nobody looks.
 */
import { Backoff } from "../backoff.ts";
import { CallError } from "../call-error.ts";
import type { LiveState } from "../live-state.ts";
import type { Narrow } from "../narrow.ts";
import { channelOf } from "../narrow-operators.ts";
import type { PageReply, PageRequest } from "./fetch-page.ts";
import type { Answer } from "./message-requests.ts";
import type { MessageWindow, Page } from "./message-window.ts";

export const AROUND = 60;
const PAGE = 100;
/** Several events in a row lead to one request. */
const GATHER_MS = 100;
const PAUSE_MS = 2000;
/** How long to wait before asking again where no events come. */
const ASK_AGAIN_MS = 30_000;
const MAX_ATTEMPTS = 5;
/** How many requests in a row go on with a search that ended early. Each looks for some 1.5 seconds. */
const MAX_SEARCHES = 20;

/** What the screen says. */
export interface Viewer {
  /** The message at the top of the view; undefined: no message yet, or the end. */
  topOfView?(): number | undefined;
  isVisible?(): boolean;
  /** How many messages to fetch on each side where the view opens, and how many more at an end. */
  around?: number;
  page?: number;
}

/** What of a page is to be used; undefined: it is of no use. */
type Choose = (page: Page) => Page | undefined;

interface LoadOptions {
  choose?: Choose;
  attempts?: number;
  /** The person need not learn of a failure, since what they see stays. */
  isQuiet?: boolean;
}

export class OpenWindow {
  readonly window: MessageWindow;
  /** Why the last request failed, for people. */
  problem: string | undefined;
  /** Whether a search that ended early is being continued, without anybody asking. */
  isSearchingOn = false;
  readonly #state: LiveState;
  readonly #viewer: Viewer;
  readonly #backoff = new Backoff({ firstMs: PAUSE_MS });
  readonly #askAgain: ReturnType<typeof setInterval>;
  /** What was asked for when the view was opened. */
  #opening: PageRequest;
  /** The end of the last request. They are made one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #refreshing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;
  /** Messages arrived at the end, and only the server can tell whether they belong here. */
  #lacksNewest = false;
  /** The server has refused the narrow, and would again. */
  #isRefused = false;
  #isClosed = false;

  constructor(state: LiveState, narrow: Narrow, viewer: Viewer = {}) {
    this.#state = state;
    this.#viewer = viewer;
    this.#opening = { anchor: "newest", before: this.#around, after: this.#around };
    this.window = state.windows.open(narrow);
    this.#askAgain = setInterval(() => this.wake(), ASK_AGAIN_MS);
  }

  /** Fetches around the place where the view opens. Gives the anchor as an id; undefined: that failed. */
  async open(anchor: PageRequest["anchor"], early?: Answer<PageReply>): Promise<number | undefined> {
    this.#opening = { ...this.#opening, anchor };
    const shown = early && this.#state.showEarly(this.window, early);
    if (shown === undefined) return this.#run(() => this.#load(() => this.#opening));
    void this.refresh();
    return shown;
  }

  /** The view opens at what is known. If that is outdated, it is fetched again. */
  openKnown(anchor: PageRequest["anchor"]): void {
    this.#opening = { ...this.#opening, anchor };
    if (!this.#state.isStale) void this.refresh();
  }

  /** Fetches again what the reader sees, in place of everything that is known, if that is outdated. */
  refresh(isQuiet = false): Promise<void> {
    this.#refreshing ??= this.#run(async () => {
      // What happens from now on needs another one.
      this.#refreshing = undefined;
      if (this.#canAsk && !(this.window.isLoaded && !this.window.isOutdated))
        await this.#load(() => this.#aroundView(), {
          choose: (page) => (this.#covers(page) ? this.#withoutMoreAbove(page) : undefined),
          isQuiet,
        });
    });
    return this.#refreshing;
  }

  /** The person asks for what has failed. */
  retry(): Promise<void> {
    this.#isRefused = false;
    this.#setProblem(undefined);
    this.window.isOutdated = this.window.isLoaded;
    return this.refresh();
  }

  async loadOlder(): Promise<void> {
    const anchor = this.window.oldest;
    if (!this.window.foundOldest && Number.isFinite(anchor))
      await this.#lengthen({ anchor, before: this.#page, after: 0 });
  }

  async loadNewer(): Promise<void> {
    const anchor = this.window.newest;
    if (!this.window.foundNewest)
      await this.#lengthen({
        anchor: Number.isFinite(anchor) ? anchor : "newest",
        before: 1,
        after: this.#page,
      });
  }

  /**
   * Goes on with a search that ended early, until there is a page, or the end. It stops when nobody looks,
   * and after so many requests. Then the person may ask for more.
   */
  async searchOn(): Promise<void> {
    if (this.isSearchingOn || !this.#endedEarly) return;
    this.#setSearchingOn(true);
    try {
      const wanted = this.window.ids.length + this.#page;
      for (let count = 0; count < MAX_SEARCHES && this.window.ids.length < wanted; count++) {
        if (!this.#endedEarly || !this.#isVisible || this.problem !== undefined) return;
        const { searchedFrom } = this.window;
        const request =
          searchedFrom === undefined
            ? { anchor: this.window.newest, before: 0, after: this.#page }
            : { anchor: searchedFrom, before: this.#page, after: 0 };
        await this.#run(() => this.#load(() => request, { choose: this.#joining, attempts: 1 }));
      }
    } finally {
      this.#setSearchingOn(false);
    }
  }

  /** Gives the first message since the moment, or else the newest one; undefined: that failed. */
  goToDate(date: Date): Promise<number | undefined> {
    const request = { anchor: { sentAfter: date }, before: this.#around, after: this.#around };
    return this.#run(() => this.#load(() => request));
  }

  /** Leaves the known range, if need be, for the newest messages. */
  async jumpToNewest(): Promise<void> {
    await this.#run(async () => {
      if (!this.window.foundNewest || this.window.isOutdated)
        await this.#load(() => ({ anchor: "newest", before: this.#around, after: 0 }));
    });
  }

  /** There is a new snapshot. */
  restart(): void {
    this.#isRefused = false;
    this.#lacksNewest = false;
    this.#backoff.reset();
    void this.refresh();
  }

  /** The window is outdated, or lacks messages that have arrived. */
  handleNeed(): void {
    this.#isRefused = false;
    this.#lacksNewest ||= !this.window.foundNewest;
    this.#schedule();
  }

  /** The person looks at it again, or it is time to ask where no events come. */
  wake(): void {
    const { isStale, isSpectator, windows } = this.#state;
    if (!this.#isVisible || isStale || isSpectator || !this.#canAsk) return;
    if (this.window.isLoaded && !windows.isTold(this.window)) this.window.isOutdated = true;
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#askAgain);
    this.#state.closeWindow(this);
  }

  get #around(): number {
    return this.#viewer.around ?? AROUND;
  }

  get #page(): number {
    return this.#viewer.page ?? PAGE;
  }

  get #isVisible(): boolean {
    return this.#viewer.isVisible?.() ?? true;
  }

  /** A channel that is gone for the viewer has nothing. */
  get #canAsk(): boolean {
    const channelId = channelOf(this.window.narrow);
    const { isSpectator, model } = this.#state;
    return isSpectator || channelId === undefined || model.channels.get(channelId) !== undefined;
  }

  /** Whether the server has not looked at all that the window spans, because that takes too long at once. */
  get #endedEarly(): boolean {
    const { searchedFrom, searchedTo, isOutdated } = this.window;
    return !this.#isClosed && !isOutdated && (searchedFrom ?? searchedTo) !== undefined;
  }

  get #lacksSomething(): boolean {
    return !this.window.isLoaded || this.window.isOutdated || this.#lacksNewest;
  }

  /** Asks soon. While nobody looks, that waits until somebody does. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed || this.#isRefused || this.#state.isStale) return;
    if (!this.#isVisible || !this.#lacksSomething || !this.#canAsk) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#catchUp();
      },
      Math.max(GATHER_MS, this.#notBefore - Date.now()),
    );
  }

  async #catchUp(): Promise<void> {
    if (!this.window.isLoaded || this.window.isOutdated) await this.refresh(this.window.isLoaded);
    else if (this.#lacksNewest && !this.window.foundNewest) await this.loadNewer();
    this.#schedule();
  }

  /** At an end of the range. While something else is under way, the screen asks again after it. */
  async #lengthen(request: PageRequest): Promise<void> {
    if (this.#underWay > 0 || !this.window.isLoaded || this.window.isOutdated) return;
    await this.#run(() => this.#load(() => request, { choose: this.#joining, attempts: 1 }));
  }

  readonly #joining: Choose = (page) => (this.window.joins(page) ? page : undefined);

  #run<T>(task: () => Promise<T>): Promise<T> {
    this.#underWay++;
    const turn = this.#last.then(task).finally(() => {
      this.#underWay--;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /**
   * An answer that was overtaken by a new snapshot is asked for again, and so is one that the reader has
   * scrolled away from meanwhile.
   */
  async #load(
    request: () => PageRequest,
    { choose = (page) => page, attempts = MAX_ATTEMPTS, isQuiet = false }: LoadOptions = {},
  ): Promise<number | undefined> {
    for (let attempt = 1; attempt <= attempts && !this.#isClosed; attempt++) {
      // The last answer is better than none.
      const isLast = attempt === attempts && attempts > 1;
      const use: Choose = (page) =>
        isWhole(page) ? (choose(page) ?? (isLast ? page : undefined)) : undefined;
      try {
        const found = await this.#state.load(this.window, request(), use);
        this.#noteAnswer();
        if (found === undefined) continue;
        void this.searchOn();
        return found;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        this.#noteFailure(error, isQuiet);
        return undefined;
      }
    }
    return undefined;
  }

  #noteAnswer(): void {
    this.#backoff.reset();
    this.#notBefore = Date.now() + PAUSE_MS;
    if (this.window.foundNewest) this.#lacksNewest = false;
    this.#setProblem(undefined);
  }

  #noteFailure(error: CallError, isQuiet: boolean): void {
    this.#isRefused = !error.isPassing;
    this.#notBefore = Date.now() + this.#backoff.nextMs();
    if (!isQuiet) this.#setProblem(error.message);
    if (this.#lacksSomething) this.#schedule();
  }

  #aroundView(): PageRequest {
    const top = this.#top;
    if (this.window.ids.length === 0 || top === undefined) return this.#opening;
    return { anchor: top, before: this.#around, after: this.#page };
  }

  #covers({ ids, foundOldest, foundNewest, searchedFrom, searchedTo }: Page): boolean {
    const top = this.#top;
    const first = Math.min(ids[0] ?? Infinity, searchedFrom ?? Infinity);
    const last = Math.max(ids.at(-1) ?? -Infinity, searchedTo ?? -Infinity);
    return top === undefined || ((foundOldest || top >= first) && (foundNewest || top <= last));
  }

  /** What comes above the rows that are shown moves them, so it comes when the reader goes there. */
  #withoutMoreAbove(page: Page): Page {
    const [first] = this.window.ids;
    const ids = first === undefined ? [] : page.ids.filter((id) => id >= first);
    if (this.window.foundOldest || ids.length === 0) return page;
    const { foundNewest, matches } = page;
    return { ids, foundNewest, foundOldest: false, ...(matches && { matches }) };
  }

  get #top(): number | undefined {
    const { anchor } = this.#opening;
    return this.#viewer.topOfView?.() ?? (typeof anchor === "number" ? anchor : undefined);
  }

  #setProblem(problem: string | undefined): void {
    if (this.problem === problem) return;
    this.problem = problem;
    this.#noteChange();
  }

  #setSearchingOn(isSearchingOn: boolean): void {
    this.isSearchingOn = isSearchingOn;
    this.#noteChange();
  }

  #noteChange(): void {
    this.#state.changes.note("windows", [this.window.key]);
    this.#state.changes.flush();
  }
}

/** What was deleted meanwhile may have been all of a page. */
function isWhole({ ids, foundOldest, foundNewest, searchedFrom, searchedTo }: Page): boolean {
  const endedEarly = (searchedFrom ?? searchedTo) !== undefined;
  return ids.length > 0 || endedEarly || (foundOldest && foundNewest);
}
