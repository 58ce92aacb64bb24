/**
 * Everything that a screen shows, kept up to date: the model, the windows of messages and the outbox. All
 * events of one response are applied before anybody is notified, so a screen changes once.
 */
import { getMessage } from "../api/messages.ts";
import { Backoff } from "./backoff.ts";
import type { CallError } from "./call-error.ts";
import { Changes } from "./changes.ts";
import { ChannelTopics } from "./channel-topics.ts";
import type { Connection } from "./connection.ts";
import { allCapabilities, type QueuedEvent, type RegisterParameters } from "./contract.ts";
import { askForPage, type PageReply, type PageRequest, readPage } from "./message-windows/fetch-page.ts";
import type { MessageWindow } from "./message-windows/message-window.ts";
import { MessageWindows } from "./message-windows/message-windows.ts";
import { newPlace, type UpdateEvent } from "./model/messages.ts";
import { Model } from "./model/model.ts";
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

/** `waiting`: nothing was heard of the server for the given problem. */
export type ConnectionState =
  | { kind: "starting" | "connected" | "ended" }
  | { kind: "waiting"; problem: CallError };

export interface TopicMove {
  from: { channelId: number; topic: string };
  to: { channelId: number; topic: string };
}

export class LiveState {
  readonly changes = new Changes();
  readonly connection: Connection;
  readonly windows: MessageWindows;
  readonly outbox: Outbox;
  readonly topics: ChannelTopics;
  /** The window on the screen, which survives a new snapshot. */
  windowInUse: MessageWindow | undefined;
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
    this.windows = new MessageWindows(
      () => this.model,
      (key) => this.changes.note("windows", [key]),
    );
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
      },
    });
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
      this.windows.open(narrow).put({ ids, ...found });
    }
    for (const one of topics) this.topics.restore(one.channelId, one.topics);
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

  /** Adds a page to the window. `early`: its reply, if it was asked for before. */
  async load(window: MessageWindow, request: PageRequest, early?: PageReply): Promise<number> {
    return this.track(async () => {
      const reply = early ?? (await askForPage(this.connection, window.narrow, request));
      const page = readPage(this.model.messages, reply);
      if (this.isSpectator) {
        this.model.users.addSenders(reply.messages);
        this.changes.note("users");
      }
      this.#noteNewest(page.ids.at(-1));
      for (const id of page.ids) if (this.outbox.handleArrival(undefined, id)) this.changes.note("outbox");
      this.changes.note("messages", page.ids);
      this.windows.put(window, page);
      this.changes.flush();
      return page.anchor;
    });
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
    this.#queueId = queueId;
    this.isStale = false;
    this.isSpectator = queueId === undefined;
    this.lastSnapshot = snapshot;
    this.eventRecord.restart();
    this.#model = Model.fromSnapshot(snapshot, this.#modelOptions);
    // What is on the screen stays there until it was fetched again.
    for (const id of this.windowInUse?.ids ?? []) {
      const message = known?.get(id);
      if (message) this.#model.messages.byId.set(id, message);
    }
    this.windows.restart(this.windowInUse);
    this.topics.expire();
    this.connectionState = { kind: "connected" };
    this.#noteNewest((snapshot as { max_message_id?: number }).max_message_id);
    if (!this.isSpectator) this.outbox.handleSnapshot();
    this.#replace(this.#model);
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
      this.topics.handle(event);
      const move = event.type === "update_message" && moveOf(event as UpdateEvent);
      if (move) moves.push(move);
      this.changes.noteEvent(event);
    }
    if (moves.length > 0) {
      this.moves = moves;
      for (const { from, to } of moves) this.outbox.handleMove(from, to);
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

  /** An own message of which no event tells, as in a channel without a subscription. */
  async #fetchMessage(id: number): Promise<void> {
    const parameters = { message_id: id, apply_markdown: true, allow_empty_topic_name: true };
    const { message } = await this.connection.call(getMessage, parameters as never);
    this.model.messages.add([message] as unknown as Parameters<Model["messages"]["add"]>[0]);
    this.outbox.handleArrival(undefined, id);
    this.windows.handle({ type: "message", message: { id } } as { type: string });
    for (const source of ["messages", "outbox"]) this.changes.note(source, [id]);
    this.changes.flush();
  }

  #setState(state: ConnectionState): void {
    this.connectionState = state;
    for (const source of ["connection", "outbox"]) this.changes.note(source);
    this.changes.flush();
    if (state.kind === "connected") this.outbox.handleConnection();
  }
}

/** The move of a whole topic. */
function moveOf(event: UpdateEvent): TopicMove | undefined {
  const { stream_id, orig_subject, propagate_mode } = event;
  const to = newPlace(event);
  if (!to || propagate_mode !== "change_all" || stream_id === undefined || orig_subject === undefined)
    return undefined;
  return { from: { channelId: stream_id, topic: orig_subject }, to };
}
