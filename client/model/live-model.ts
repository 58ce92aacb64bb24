/** The model of an organization, kept up to date in the background by an event queue of its own. */
import type { Client } from "../client.ts";
import { allCapabilities, type QueuedEvent, type RegisterParameters } from "../contract.ts";
import type { EventOptions } from "../poll.ts";
import { ServerClock } from "../server-clock.ts";
import { Model } from "./model.ts";

export interface LiveModelOptions extends Omit<EventOptions, "onSnapshot"> {
  /** What to ask of `/register`, in addition to the newest forms of all events. */
  parameters?: RegisterParameters;
}

/** `snapshot`: the server had lost the queue, and there is another model. Everything may differ. */
export type ModelChange = { kind: "event"; event: QueuedEvent } | { kind: "snapshot" };

type Listener = (change: ModelChange) => void;

/** Resolves when the first snapshot is there; rejects if the server refuses it. */
export async function startModel(
  client: Pick<Client, "events">,
  options: LiveModelOptions = {},
): Promise<LiveModel> {
  const live = new LiveModel(client, options);
  await live.ready;
  return live;
}

export class LiveModel {
  /** Settles when there is a model, or can't be one. */
  readonly ready: Promise<void>;
  /** Resolves after `stop`; rejects if following became pointless, say because the key was refused. */
  readonly ended: Promise<void>;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<Listener>();
  #model: Model | undefined;

  constructor(client: Pick<Client, "events">, options: LiveModelOptions = {}) {
    let markReady = () => {};
    const hasModel = new Promise<void>((resolve) => {
      markReady = resolve;
    });
    this.ended = this.#run(client, options, markReady);
    this.ready = Promise.race([hasModel, this.ended]);
    // A failure is for those who await these promises, and nobody has to.
    this.ended.catch(() => {});
    this.ready.catch(() => {});
  }

  /** The current model: another object after a new snapshot, so don't keep it. */
  get model(): Model {
    if (!this.#model) throw new Error("There is no snapshot yet: await `ready` first.");
    return this.#model;
  }

  /** Calls the listener after each change of the model, until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Deletes the queue. The model stays as it is. */
  async stop(): Promise<void> {
    this.#controller.abort();
    await this.ended.catch(() => {});
  }

  async #run(
    client: Pick<Client, "events">,
    options: LiveModelOptions,
    markReady: () => void,
  ): Promise<void> {
    const { parameters: chosen, signal, ...rest } = options;
    const parameters = { apply_markdown: true, client_capabilities: allCapabilities, ...chosen };
    const abort = () => this.#controller.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const events = client.events(parameters, {
      ...rest,
      signal: this.#controller.signal,
      onSnapshot: (snapshot) => {
        const isFirst = this.#model === undefined;
        const clock = new ServerClock();
        clock.note(Number(snapshot.server_timestamp) * 1000);
        this.#model = Model.fromSnapshot(snapshot, { parameters, now: () => clock.now() });
        if (isFirst) markReady();
        else this.#publish({ kind: "snapshot" });
      },
    });
    try {
      for await (const event of events) {
        this.model.handle(event);
        this.#publish({ kind: "event", event });
      }
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #publish(change: ModelChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
