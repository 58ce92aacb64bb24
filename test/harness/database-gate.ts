import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Connection } from "../../server/platform/db/database.ts";

/** A proxy between a server and its database that can be closed. */
export class DatabaseGate {
  /** The database's URL through the proxy. */
  readonly connection: Connection;
  readonly #dir: string;
  readonly #target: string;
  readonly #sockets = new Set<net.Socket>();
  #server: net.Server | undefined;
  /** Set to drop the database's responses, as if the connection had broken after the statement arrived. */
  losesAnswers = false;
  #isCutOff = false;

  private constructor(connection: Connection) {
    this.#dir = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-gate-"));
    this.#target = `${connection.host}/.s.PGSQL.${connection.port}`;
    this.connection = { ...connection, host: this.#dir, port: 5432 };
  }

  static async open(connection: Connection): Promise<DatabaseGate> {
    const gate = new DatabaseGate(connection);
    await gate.open();
    return gate;
  }

  async open(): Promise<void> {
    const server = net.createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(path.join(this.#dir, ".s.PGSQL.5432"), resolve));
  }

  /** Holds everything back and keeps the connections open, as a network that is cut does. */
  cutOff(): void {
    this.#isCutOff = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lets everything through that was held back, as TCP does when the network is there again. */
  reconnect(): void {
    this.#isCutOff = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Breaks every connection and accepts new ones. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks every connection and accepts no new ones. */
  async shut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.cut();
    await closed;
  }

  async remove(): Promise<void> {
    await this.shut();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #join(near: net.Socket): void {
    const far = net.connect(this.#target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        if (from === far && this.losesAnswers) this.cut();
        else to.write(bytes);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isCutOff) from.pause();
    }
  }
}
