import { StartError } from "./start-error.ts";
import type { End, Supervised } from "./supervise.ts";

/** A server that ends this soon after it was ready, several times in a row, is given up. */
const STABLE_MS = 1_000;
const MAX_QUICK_ENDS = 5;
const LOOK_MS = 1_000;
/** A checkpoint may not get ready in this time. Then the next start recovers, as after a kill. */
const STOP_MS = 1_000;

/**
 * Something from outside, such as a signal, ended the server before it was ready. The next start may succeed.
 */
export class StartInterrupted extends StartError {
  readonly server: Supervised;
  readonly end: End;

  constructor(server: Supervised, end: End) {
    super("postgres-failed", `PostgreSQL ${describe(end)} before it was ready.`);
    this.server = server;
    this.end = end;
  }
}

export interface KeptServerSteps {
  /**
   * Starts a process. Throws a StartInterrupted or another StartError if it does not become ready. Calls
   * `spawned` with every process, ready or not, so that it can be stopped at any time.
   */
  start(spawned: (server: Supervised) => void): Promise<Supervised>;
  /** Cleans up between an unexpected end and the next start. */
  clear(): Promise<void>;
  stop(server: Supervised, timeoutMs: number): Promise<void>;
  /** Whether clients can still connect: somebody may have removed the socket of a server that runs. */
  hasSocket(): boolean;
  /** Called with a sentence at each unexpected end. */
  onEnd(sentence: string): void;
  /** Called with a sentence when clients can connect again after such an end. */
  onReturn(sentence: string): void;
}

/**
 * Keeps PostgreSQL running. Its main process may end by itself, for example killed for lack of memory. Then
 * it is restarted on the same socket and recovers what was committed. Open connections break, and clients
 * connect again.
 */
export class KeptServer {
  /** Resolves with a sentence if PostgreSQL could not be restarted. */
  readonly gaveUp: Promise<string>;
  readonly #steps: KeptServerSteps;
  #giveUp: (sentence: string) => void = () => {};
  #server: Supervised | undefined;
  #stopping: Promise<void> | undefined;
  #restarting: Promise<void> = Promise.resolve();
  #quickEnds = 0;

  constructor(steps: KeptServerSteps) {
    this.#steps = steps;
    this.gaveUp = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
  }

  /** Resolves when PostgreSQL is ready for the first time. */
  async start(): Promise<void> {
    this.#watch(await this.#steps.start((server) => this.#take(server)));
  }

  /** May be called repeatedly, and during a start. */
  stop(timeoutMs: number): Promise<void> {
    this.#stopping ??= this.#stop(timeoutMs);
    return this.#stopping;
  }

  async #stop(timeoutMs: number): Promise<void> {
    if (this.#server) await this.#steps.stop(this.#server, timeoutMs);
    await this.#restarting;
  }

  #take(server: Supervised): void {
    if (this.#stopping) {
      server.child.kill("SIGQUIT");
      throw new StartError("postgres-failed", "PostgreSQL was stopped while it was starting.");
    }
    this.#server = server;
  }

  #watch(server: Supervised): void {
    const readyAt = Date.now();
    const look = setInterval(() => {
      if (this.#stopping || this.#steps.hasSocket()) return;
      clearInterval(look);
      this.#steps.onEnd("Somebody removed the socket of the embedded PostgreSQL, so it is stopped.");
      void this.#steps.stop(server, STOP_MS);
    }, LOOK_MS).unref();
    const restart = (end: End) => {
      clearInterval(look);
      if (this.#stopping) return;
      this.#quickEnds = Date.now() - readyAt < STABLE_MS ? this.#quickEnds + 1 : 0;
      this.#restarting = this.#restart(server, end);
    };
    // `end` rejects only for a process that could not be started, and this one was.
    server.end.then(restart, () => {});
  }

  async #restart(ended: Supervised, end: End): Promise<void> {
    const how = describe(end);
    const endedAt = Date.now();
    if (this.#quickEnds >= MAX_QUICK_ENDS) {
      const words = ended.lastLines().slice(-4).join("; ");
      return this.#giveUp(`The embedded PostgreSQL ends as soon as it is started. It ${how}: ${words}`);
    }
    this.#steps.onEnd(`The embedded PostgreSQL ${how} and is restarted.`);
    try {
      await this.#steps.clear();
      this.#watch(await this.#steps.start((server) => this.#take(server)));
      const seconds = ((Date.now() - endedAt) / 1000).toFixed(1);
      this.#steps.onReturn(`The embedded PostgreSQL can be reached again after ${seconds} s.`);
    } catch (error) {
      if (this.#stopping) return;
      if (error instanceof StartInterrupted) {
        this.#quickEnds++;
        return this.#restart(error.server, error.end);
      }
      this.#giveUp(`The embedded PostgreSQL ${how} and can't be restarted. ${(error as Error).message}`);
    }
  }
}

function describe({ code, signal }: End): string {
  return signal ? `was ended by ${signal}` : `ended with ${code}`;
}
