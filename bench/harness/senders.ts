import { HttpConnection } from "./http-connection.ts";

/** How sends follow each other. */
export type Pace =
  /** This many at a time, each followed by the next as soon as its response arrives. */
  | { by: "flights"; inFlight: number }
  /**
   * At fixed times, whatever the server does. A send that finds no free connection is late, and is timed
   * from its due time.
   */
  | { by: "clock"; perSecond: number };

export interface Sent {
  id: number;
  /** When it was due. */
  sentAt: number;
  answeredAt: number;
}

const CLOCK_CONNECTIONS = 32;
const NUMBER = /"id":(\d+)/;

/** Sends one request after another and notes when each went out and came back. */
export class Senders {
  isCounting = false;
  /** All sends with a response, counted or not. */
  count = 0;
  readonly counted: Sent[] = [];
  readonly #requests: Buffer[];
  readonly #pace: Pace;
  readonly #fail: (error: unknown) => void;
  readonly #free: Sender[] = [];
  readonly #all: Sender[];
  /** Times at which sends are due that have no connection yet. */
  readonly #due: number[] = [];
  #next = 0;
  #inFlight = 0;
  #isStopped = false;
  #isBroken = false;
  #timer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(port: number, sends: { requests: string[]; pace: Pace }, fail: (error: unknown) => void) {
    this.#requests = sends.requests.map((request) => Buffer.from(request));
    this.#pace = sends.pace;
    this.#fail = fail;
    this.#all = Array.from({ length: connectionsFor(sends.pace) }, () => new Sender(this, port));
  }

  start(): void {
    if (this.#pace.by === "clock") this.#tick(performance.now(), 1000 / this.#pace.perSecond);
    else for (let index = 0; index < this.#all.length; index++) this.#send(performance.now());
  }

  /** Resolves when the last send is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#due.length = 0;
    if (this.#inFlight > 0 && !this.#isBroken) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    for (const sender of this.#all) sender.connection.close();
  }

  isFree(sender: Sender): void {
    const due = this.#due.shift();
    this.#free.push(sender);
    if (due !== undefined) this.#send(due);
  }

  answered(sender: Sender, isOk: boolean, answer: Buffer, wasCounting: boolean): void {
    this.#inFlight--;
    if (!isOk) this.#fail(new Error(answer.toString("utf8", 0, 2000)));
    else this.#note(sender, answer, wasCounting);
    this.isFree(sender);
    if (this.#isStopped) {
      if (this.#inFlight === 0) this.#onIdle?.();
    } else if (this.#pace.by === "flights") {
      this.#send(performance.now());
    }
  }

  failed(error: unknown): void {
    this.#isBroken = true;
    this.#fail(error);
    this.#onIdle?.();
  }

  #note({ sentAt }: Sender, answer: Buffer, wasCounting: boolean): void {
    this.count++;
    if (!wasCounting) return;
    const id = Number(NUMBER.exec(answer.toString("latin1"))?.[1]);
    this.counted.push({ id, sentAt, answeredAt: performance.now() });
  }

  #tick(due: number, everyMs: number): void {
    for (let at = due; ; at += everyMs) {
      const wait = at - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#tick(at, everyMs), wait);
        return;
      }
      this.#send(at);
    }
  }

  #send(dueAt: number): void {
    // The connection that has been idle longest, since servers close idle connections.
    const sender = this.#free.shift();
    if (!sender) {
      this.#due.push(dueAt);
      return;
    }
    this.#inFlight++;
    this.#next = (this.#next + 1) % this.#requests.length;
    sender.send(this.#requests[this.#next] as Buffer, dueAt);
  }
}

class Sender {
  sentAt = 0;
  readonly connection: HttpConnection;
  readonly #all: Senders;
  #wasCounting = false;

  constructor(all: Senders, port: number) {
    this.#all = all;
    this.connection = new HttpConnection(port, {
      onOpen: () => all.isFree(this),
      onAnswer: (isOk, answer) => all.answered(this, isOk, answer, this.#wasCounting),
      onError: (error) => all.failed(error),
    });
  }

  send(request: Buffer, dueAt: number): void {
    this.sentAt = dueAt;
    this.#wasCounting = this.#all.isCounting;
    this.connection.send(request);
  }
}

function connectionsFor(pace: Pace): number {
  return pace.by === "flights" ? pace.inFlight : CLOCK_CONNECTIONS;
}
