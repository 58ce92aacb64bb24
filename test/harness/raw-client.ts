/** Sends and receives raw bytes, for tests of requests that no HTTP library would send. */
import { connect, type Socket } from "node:net";

export class RawClient {
  readonly socket: Socket;
  received = "";
  isClosed = false;
  #changed: (() => void)[] = [];

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setEncoding("latin1");
    this.socket.on("data", (text: string) => {
      this.received += text;
      this.#wake();
    });
    this.socket.on("close", () => {
      this.isClosed = true;
      this.#wake();
    });
    // A reset by the server counts as an end like any other; `isClosed` reports it.
    this.socket.on("error", () => {});
  }

  send(text: string): this {
    this.socket.write(text, "latin1");
    return this;
  }

  /** Resolves when `condition` holds. The condition is checked whenever data arrives. */
  async until(condition: () => boolean): Promise<this> {
    while (!condition()) await new Promise<void>((resolve) => this.#changed.push(resolve));
    return this;
  }

  closed(): Promise<this> {
    return this.until(() => this.isClosed);
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1]);
  }

  get json(): Record<string, unknown> {
    return JSON.parse(this.received.slice(this.received.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
  }

  #wake(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }
}
