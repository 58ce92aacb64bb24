/**
 * Everything that a screen shows, kept up to date: the model, the windows of messages and the outbox. All
 * events of one response are applied before anybody is notified, so a screen changes once.
 */
import type { CallError } from "./call-error.ts";
import { Changes } from "./changes.ts";
import { ChannelTopics } from "./channel-topics.ts";
import type { Connection } from "./connection.ts";
import { allCapabilities, type QueuedEvent, type RegisterParameters } from "./contract.ts";
import { fetchPage, type PageRequest } from "./message-windows/fetch-page.ts";
import type { MessageWindow } from "./message-windows/message-window.ts";
import { MessageWindows } from "./message-windows/message-windows.ts";
import { Model } from "./model/model.ts";
import { Outbox } from "./outbox.ts";
import { follow } from "./poll.ts";

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

export class LiveState {
  readonly changes = new Changes();
  readonly connection: Connection;
  readonly windows: MessageWindows;
  readonly outbox: Outbox;
  readonly topics: ChannelTopics;
  /** The window on the screen, which survives a new snapshot. */
  windowInUse: MessageWindow | undefined;
  connectionState: ConnectionState = { kind: "starting" };
  /** Grows with each snapshot that replaces the model. */
  generation = 0;
  #model: Model | undefined;
  #queueId: string | undefined;
  #calls = 0;

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
    this.outbox = new Outbox(
      connection,
      () => this.#queueId,
      () => {
        this.changes.note("outbox");
        this.changes.flush();
      },
    );
  }

  get model(): Model {
    if (!this.#model) throw new Error("There is no snapshot yet.");
    return this.#model;
  }

  get isReady(): boolean {
    return this.#model !== undefined;
  }

  /** Whether nothing is on its way that the person asked for. */
  get isIdle(): boolean {
    return this.#calls === 0 && this.outbox.isEmpty;
  }

  /** Follows the server until the signal, or until it refuses. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await follow(this.connection, registerParameters, {
        signal,
        onSnapshot: (snapshot) => this.#handleSnapshot(snapshot, snapshot.queue_id ?? undefined),
        onEvents: (events) => this.#handleEvents(events),
        onTrouble: (problem) =>
          this.#setState(problem ? { kind: "waiting", problem } : { kind: "connected" }),
      });
    } finally {
      this.#setState({ kind: "ended" });
    }
  }

  /** Adds a page to the window. */
  async load(window: MessageWindow, request: PageRequest): Promise<number> {
    return this.track(async () => {
      const page = await fetchPage(this.connection, () => this.model.messages, window.narrow, request);
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
    this.#model = Model.fromSnapshot(snapshot, { parameters: registerParameters });
    // What is on the screen stays there until it was fetched again.
    for (const id of this.windowInUse?.ids ?? []) {
      const message = known?.get(id);
      if (message) this.#model.messages.byId.set(id, message);
    }
    this.windows.restart(this.windowInUse);
    this.topics.forget();
    this.outbox.dropSent();
    this.generation++;
    this.changes.readModel(this.#model);
    this.changes.note("generation");
    this.#setState({ kind: "connected" });
  }

  #handleEvents(events: readonly QueuedEvent[]): void {
    for (const event of events) {
      this.model.handle(event);
      this.windows.handle(event);
      this.topics.handle(event);
      if (event.type === "message") {
        this.outbox.handleArrival(
          event.local_message_id as string | undefined,
          (event.message as { id: number }).id,
        );
      }
      this.changes.noteEvent(event);
    }
    this.changes.flush();
  }

  #setState(state: ConnectionState): void {
    this.connectionState = state;
    this.changes.note("connection");
    this.changes.flush();
  }
}
