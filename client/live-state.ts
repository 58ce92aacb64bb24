/**
 * Everything that a screen shows, kept up to date: the model, the windows of messages and the outbox. All
 * events of one response are applied before anybody is notified, so a screen changes once.
 */
import { getMessage } from "../api/messages/messages.ts";
import { Backoff } from "./backoff.ts";
import type { CallError } from "./call-error.ts";
import { Changes } from "./changes.ts";
import { ChannelTopics } from "./channel-topics.ts";
import type { Connection } from "./connection.ts";
import { allCapabilities, type QueuedEvent, type RegisterParameters } from "./contract.ts";
import { askForPage, type PageReply, type PageRequest, readPage } from "./message-windows/fetch-page.ts";
import { type Answer, bringUpToDate, MessageRequests } from "./message-windows/message-requests.ts";
import type { MessageWindow, Page } from "./message-windows/message-window.ts";
import { MessageWindows } from "./message-windows/message-windows.ts";
import { OpenWindow, type Viewer } from "./message-windows/open-window.ts";
import type { Message, MessageRecord, UpdateEvent } from "./model/messages.ts";
import { Model } from "./model/model.ts";
import { MovedTopics, moveOf, reachesOthers, type TopicMove } from "./moved-topics.ts";
import type { Narrow } from "./narrow.ts";
import { Outbox } from "./outbox.ts";
import { follow } from "./poll.ts";
import { EventRecord, type SavedState } from "./saved-state.ts";

/** What the register call asks for. The page's HTML makes the same call before this program has arrived. */
export const registerParameters: RegisterParameters = {
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: false,
  slim_presence: true,
  client_capabilities: allCapabilities,
};

/** `waiting`: the server has not answered, because of the given problem. */
export type ConnectionState =
  | { kind: "starting" | "connected" | "ended" }
  | { kind: "waiting"; problem: CallError };

export class LiveState {
  readonly changes = new Changes();
  readonly connection: Connection;
  readonly windows: MessageWindows;
  readonly outbox: Outbox;
  readonly topics: ChannelTopics;
  /** The windows on the screen, which survive a new snapshot. */
  readonly #open = new Set<OpenWindow>();
  readonly #requests = new MessageRequests();
  /** Messages of before the snapshot that are shown until they are fetched again. */
  readonly #carried = new Set<number>();
  readonly #movedTopics = new MovedTopics();
  /**
   * The topics that were moved as a whole by the last events that moved any, in order. Screens that show them
   * and texts that were begun there go along.
   */
  moves: readonly TopicMove[] = [];
  connectionState: ConnectionState = { kind: "starting" };
  /** Grows with each snapshot that replaces the model. */
  generation = 0;
  /** The model is what was saved of an earlier run: the server has not answered yet. */
  isStale = false;
  /** Nobody is signed in: there is no queue, and nothing changes. */
  isSpectator = false;
  /** The server's last snapshot, and the events since. */
  lastSnapshot: object | undefined;
  readonly eventRecord = new EventRecord();
  /** Called with each message that arrives, after everything else has handled it. */
  onArrival: ((messageId: number) => void) | undefined;
  #model: Model | undefined;
  #queueId: string | undefined;
  /** The highest id of a message that this program has heard of. */
  #newestId = 0;
  #calls = 0;
  readonly #backoff = new Backoff();

  constructor(connection: Connection) {
    this.connection = connection;
    this.windows = new MessageWindows(() => this.model, {
      onChange: (key) => this.changes.note("windows", [key]),
      onNeed: (window) => {
        for (const open of this.#open) if (open.window === window) open.handleNeed();
      },
    });
    this.topics = new ChannelTopics(
      (call) => this.track(() => call(connection)),
      (channelId) => {
        this.changes.note("topics", [channelId]);
        this.changes.flush();
      },
    );
    this.outbox = new Outbox({
      connection,
      queueId: () => this.#queueId,
      viewerId: () => this.model.viewer.id,
      canSend: () => this.connectionState.kind === "connected" && !this.isStale,
      newestId: () => this.#newestId,
      isKnown: (id) => this.model.messages.byId.has(id),
      isHeard: (to) => to.kind === "direct" || this.model.subscriptions.isSubscribed(to.channelId),
      fetchMessage: (id) => this.#fetchMessage(id),
      findSent: async (message, isOther) => {
        const { findSent } = await import("./outbox/find-sent.ts");
        return findSent(connection, this.model.viewer.id, message, isOther);
      },
      onChange: () => {
        this.changes.note("outbox");
        this.changes.flush();
        // Where no events come, not even for one's own messages, the window is asked for again.
        if (this.outbox.messages.some(({ id }) => id !== undefined))
          for (const open of this.#open) open.wake();
      },
    });
  }

  /** The one that was opened last. */
  get windowInUse(): MessageWindow | undefined {
    return [...this.#open].at(-1)?.window;
  }

  get model(): Model {
    if (!this.#model) throw new Error("There is no snapshot yet.");
    return this.#model;
  }

  get #modelOptions() {
    return { parameters: registerParameters, now: () => this.connection.clock.now() };
  }

  get isReady(): boolean {
    return this.#model !== undefined;
  }

  /** Whether nothing is on its way that the person asked for. */
  get isIdle(): boolean {
    return this.#calls === 0 && this.outbox.isEmpty && !this.isStale;
  }

  /** Shows an earlier state until the server has answered. Does nothing if it has. */
  restore({ snapshot, events, windows, topics }: SavedState): void {
    if (this.#model) return;
    const model = Model.fromSnapshot(snapshot, this.#modelOptions);
    for (const event of events) model.handle(event);
    this.#model = model;
    for (const { narrow, ids, messages, ...found } of [...windows].reverse()) {
      for (const message of messages) model.messages.byId.set(message.id, message);
      this.windows.open(narrow).show({ ids, ...found });
    }
    for (const known of topics) this.topics.restore(known.channelId, known.topics);
    this.isStale = true;
    this.#replace(model);
  }

  /** Follows the server until the signal, or until it refuses. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await follow(this.connection, registerParameters, {
        signal,
        backoff: this.#backoff,
        onSnapshot: (snapshot) => this.#handleSnapshot(snapshot, snapshot.queue_id ?? undefined),
        onEvents: (events) => this.#handleEvents(events),
        onTrouble: (problem) =>
          this.#setState(problem ? { kind: "waiting", problem } : { kind: "connected" }),
      });
    } finally {
      if (!this.isSpectator) this.#setState({ kind: "ended" });
    }
  }

  /** Asks again at once if the server was away: the network is said to be back. */
  tryNow(): void {
    this.#backoff.wakeUp();
  }

  /** A window on the screen, until it is closed. */
  openWindow(narrow: Narrow, viewer?: Viewer): OpenWindow {
    const opened = new OpenWindow(this, narrow, viewer);
    this.#open.add(opened);
    this.windows.use(opened.window);
    return opened;
  }

  /** Called by the open window. */
  closeWindow(opened: OpenWindow): void {
    this.#open.delete(opened);
    this.windows.leave(opened.window);
    this.#dropCarried();
    this.changes.flush();
  }

  /**
   * Adds a page to the window, or what `choose` gives of it. undefined: the answer was of no use any more.
   */
  async load(
    window: MessageWindow,
    request: PageRequest,
    choose: (page: Page) => Page | undefined = (page) => page,
  ): Promise<number | undefined> {
    return this.track(async () => {
      const answer = await this.askForPage(window.narrow, request);
      const page = this.#take(window, answer, request.anchor);
      const chosen = page && choose(page);
      if (!chosen) return undefined;
      this.#addMessages(page.messages, answer.reply.messages);
      this.windows.put(window, chosen, answer.since);
      this.#dropCarried();
      this.changes.flush();
      return page.anchor;
    });
  }

  /** A page that comes with the events since. */
  askForPage(narrow: Narrow, request: PageRequest): Promise<Answer<PageReply>> {
    return this.#requests.ask(() => askForPage(this.connection, narrow, request));
  }

  /**
   * Shows a page that was asked for before the snapshot. What happened between the two is not known, so it
   * claims nothing.
   */
  showEarly(window: MessageWindow, answer: Answer<PageReply>): number | undefined {
    const page = this.#take(window, answer);
    if (!page || window.isLoaded) return undefined;
    this.#addMessages(page.messages, answer.reply.messages);
    window.show(page);
    this.changes.note("windows", [window.key]);
    this.changes.flush();
    return page.anchor;
  }

  /** A message by its id. undefined: it is gone. */
  async findMessage(id: number): Promise<Message | undefined> {
    const parameters = { message_id: id, allow_empty_topic_name: true, apply_markdown: true };
    while (!this.#isTold(id)) {
      const answer = await this.track(() =>
        this.#requests.ask(() => this.connection.call(getMessage, parameters)),
      );
      this.#requests.close(answer);
      if (answer.isOver) continue;
      const { message } = answer.reply as unknown as { message: MessageRecord & { flags: string[] } };
      this.#addMessages(bringUpToDate([message], answer.since).byId);
      this.changes.flush();
      break;
    }
    return this.model.messages.byId.get(id);
  }

  /** Whether events have told everything about a known message. */
  #isTold(id: number): boolean {
    const to = this.model.messages.byId.get(id)?.to;
    return to?.kind === "channel" ? this.model.subscriptions.isSubscribed(to.channelId) : to !== undefined;
  }

  /** Where a topic is now that was moved as a whole since this client started. */
  placeOfMoved(channelId: number, topic: string): TopicMove["to"] | undefined {
    return this.#movedTopics.find({ channelId, topic });
  }

  /** Counts a call, for those who wait until all is done. */
  async track<T>(call: () => Promise<T>): Promise<T> {
    this.#calls++;
    this.changes.note("activity");
    this.changes.flush();
    try {
      return await call();
    } finally {
      this.#calls--;
      this.changes.note("activity");
      this.changes.flush();
    }
  }

  #handleSnapshot(snapshot: object, queueId: string | undefined): void {
    const known = this.#model?.messages.byId;
    // The page that a start asks for is shown in any case, and claims nothing.
    if (known) this.#requests.endAll();
    const open = [...this.#open];
    this.#queueId = queueId;
    this.isStale = false;
    this.isSpectator = queueId === undefined;
    this.lastSnapshot = snapshot;
    this.eventRecord.restart();
    this.#model = Model.fromSnapshot(snapshot, this.#modelOptions);
    // What is on the screen stays there until it was fetched again.
    this.#carried.clear();
    for (const id of open.flatMap(({ window }) => window.ids)) {
      const message = known?.get(id);
      if (!message) continue;
      this.#model.messages.byId.set(id, message);
      this.#carried.add(id);
    }
    this.windows.restart();
    this.topics.expire();
    this.connectionState = { kind: "connected" };
    this.#noteNewest((snapshot as { max_message_id?: number }).max_message_id);
    if (!this.isSpectator) this.outbox.handleSnapshot();
    this.#replace(this.#model);
    for (const one of open) one.restart();
  }

  /** The page of an answer, unless nobody needs it any more. */
  #take(window: MessageWindow, answer: Answer<PageReply>, asked?: PageRequest["anchor"]) {
    this.#requests.close(answer);
    const isOfUse = !answer.isOver && this.windows.has(window);
    return isOfUse ? readPage(answer.reply, answer.since, asked) : undefined;
  }

  #addMessages(messages: ReadonlyMap<number, Message>, records: PageReply["messages"] = []): void {
    for (const [id, message] of messages) {
      this.model.messages.byId.set(id, message);
      this.#carried.delete(id);
    }
    for (const id of messages.keys()) {
      this.#noteNewest(id);
      if (this.outbox.handleArrival(undefined, id)) this.changes.note("outbox");
    }
    this.changes.note("messages", [...messages.keys()]);
    if (!this.isSpectator) return;
    this.model.users.addSenders(records);
    this.changes.note("users");
  }

  /** Drops what the server has not confirmed since the snapshot, so that it does not stay readable. */
  #dropCarried(): void {
    if (this.#carried.size === 0) return;
    const outdated = [...this.#open].filter(({ window }) => window.isOutdated);
    const shown = new Set(outdated.flatMap(({ window }) => window.ids));
    for (const id of this.#carried) {
      if (shown.has(id)) continue;
      this.model.messages.byId.delete(id);
      this.#carried.delete(id);
    }
  }

  #replace(model: Model): void {
    this.generation++;
    this.changes.readModel(model);
    for (const source of ["generation", "connection", "activity"]) this.changes.note(source);
    this.changes.flush();
  }

  #handleEvents(events: readonly QueuedEvent[]): void {
    this.eventRecord.add(events);
    const moves: TopicMove[] = [];
    for (const event of events) {
      this.model.handle(event);
      // A window that lists a message knows by then that it was on its way, so its row stays the same.
      if (event.type === "message") this.#noteArrival(event);
      this.windows.handle(event);
      this.#requests.note(event);
      this.topics.handle(event);
      const move = event.type === "update_message" && moveOf(event as UpdateEvent);
      if (move) moves.push(move);
      this.changes.noteEvent(event);
    }
    if (moves.length > 0) {
      this.moves = moves;
      for (const move of moves) this.#movedTopics.add(move);
      for (const move of moves) this.outbox.handleMove(move, reachesOthers(this.model.channels, move));
      this.changes.note("outbox");
      this.changes.note("moves");
    }
    this.changes.flush();
    for (const { type, message } of events as readonly { type: string; message?: { id: number } }[]) {
      if (type === "message" && message) this.onArrival?.(message.id);
    }
  }

  #noteArrival(event: QueuedEvent): void {
    const { id, sender_id } = event.message as { id: number; sender_id: number };
    this.#noteNewest(id);
    const wasOnItsWay = this.outbox.handleArrival(event.local_message_id as string | undefined, id);
    if (wasOnItsWay) this.changes.note("outbox");
    else if (sender_id === this.model.viewer.id) this.outbox.handleOwnMessage();
  }

  #noteNewest(id = 0): void {
    this.#newestId = Math.max(this.#newestId, id);
  }

  /** A message of the viewer's own for which no event comes, as in a channel without a subscription. */
  async #fetchMessage(id: number): Promise<void> {
    await this.findMessage(id);
    this.windows.handle({ id: 0, type: "message", message: { id } });
    this.changes.flush();
  }

  #setState(state: ConnectionState): void {
    this.connectionState = state;
    for (const source of ["connection", "outbox"]) this.changes.note(source);
    this.changes.flush();
    if (state.kind === "connected") this.outbox.handleConnection();
  }
}
