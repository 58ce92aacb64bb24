import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A proxy on a port of this machine, between two programs. It passes everything on, until it is told to cut
 * connections, to hold them, or to be slow.
 */
export class Gate {
  readonly port: number;
  /** Milliseconds that everything takes longer, in each direction. */
  delayMs = 0;
  readonly #target: () => number | undefined;
  readonly #sockets = new Set<net.Socket>();
  readonly #held = new Set<net.Socket>();
  #server: net.Server;
  #isSilent = false;

  private constructor(server: net.Server, target: () => number | undefined) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as net.AddressInfo).port;
    server.on("connection", (near) => this.#join(near));
  }

  /** `target`: the port that it leads to; undefined while there is none. */
  static async open(target: () => number | undefined): Promise<Gate> {
    return new Gate(await listen(0), target);
  }

  /** Breaks every connection, in the middle of whatever it carries, and accepts new ones. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks every connection and refuses new ones. */
  async shut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  async reopen(): Promise<void> {
    this.#server = await listen(this.port);
    this.#server.on("connection", (near) => this.#join(near));
  }

  /** Accepts connections and passes nothing on: both ends believe that the other one is there. */
  hold(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) {
      socket.pause();
      this.#held.add(socket);
    }
  }

  /** Breaks what was held, as a network does in the end, and passes on what comes from now on. */
  release(): void {
    this.#isSilent = false;
    for (const socket of this.#held) socket.destroy();
    this.#held.clear();
  }

  #join(near: net.Socket): void {
    if (this.#isSilent) {
      this.#keep(near);
      this.#held.add(near);
      return;
    }
    const port = this.#target();
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = net.connect(port, "127.0.0.1");
    this.#keep(near);
    this.#keep(far);
    this.#pass(near, far);
    this.#pass(far, near);
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#held.delete(socket);
    });
  }

  /** In order, though the delay changes meanwhile. What has arrived is passed on before an end is. */
  #pass(from: net.Socket, to: net.Socket): void {
    let last: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    from.on("data", (bytes) => {
      if (this.delayMs === 0 && waiting === 0) {
        to.write(bytes);
        return;
      }
      waiting++;
      const due = sleep(this.delayMs);
      last = last
        .then(() => due)
        .then(() => {
          waiting--;
          to.write(bytes);
        });
    });
    from.on("close", (isBroken) => void last.then(() => (isBroken ? to.destroy() : to.destroySoon())));
  }
}

function listen(port: number): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
