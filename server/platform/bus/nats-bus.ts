/**
 * NATS as the bus, for many nodes or a busy PostgreSQL. Its server may be down at the start, and may stop and
 * come back. Meanwhile nodes find everything by polling the database each second.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus, BusListener, QueueNotice } from "./bus.ts";
import { loadNats, type NatsConnection, type NatsModule } from "./nats-module.ts";
import type { NatsServers } from "./nats-url.ts";
import { readHeads, readQueues, writeHeads, writeQueues } from "./notice.ts";

const CONNECT_MS = 2000;
const RETRY_MS = 500;
const RECONNECT_MS = 250;
/** A dead connection, behind a firewall perhaps, is noticed after two pings without an answer. */
const PING_MS = 5000;

interface Options {
  /** The first part of the subjects, so that several installations can use one NATS. */
  prefix: string;
  /** This node's name in its notices. */
  node: string;
  log: Logger;
}

export class NatsBus implements Bus {
  readonly #module: NatsModule;
  readonly #servers: NatsServers;
  readonly #options: Options;
  readonly #stop = new AbortController();
  #connection: NatsConnection | undefined;
  #isUp = false;

  private constructor(module: NatsModule, servers: NatsServers, options: Options) {
    this.#module = module;
    this.#servers = servers;
    this.#options = options;
  }

  /** Throws a StartError if the package is not installed. Does not connect yet. */
  static async open(servers: NatsServers, options: Options): Promise<NatsBus> {
    return new NatsBus(await loadNats(), servers, options);
  }

  publish(organizationId: OrganizationId, head: Position): void {
    for (const text of writeHeads([[organizationId, head]], this.#options.node)) this.#send("log", text);
  }

  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    for (const text of writeQueues(organizationId, notices, this.#options.node)) this.#send("queues", text);
  }

  /** Resolves at once. The server's log shows whether NATS can be reached. */
  async subscribe(listener: BusListener): Promise<void> {
    void this.#stayConnected(listener);
  }

  /** Installations with NATS have several nodes. */
  readonly isAlone = false;

  async close(): Promise<void> {
    this.#stop.abort();
    this.#isUp = false;
    await this.#connection?.close().catch(() => {});
  }

  #send(subject: string, text: string): void {
    // Without a connection the client would keep notices without bound, although nodes poll meanwhile.
    if (!this.#isUp) return;
    try {
      this.#connection?.publish(`${this.#options.prefix}.${subject}`, text);
    } catch {
      // The connection has just closed.
    }
  }

  async #stayConnected(listener: BusListener): Promise<void> {
    let isFirstFailure = true;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#connect(listener);
        isFirstFailure = true;
      } catch (error) {
        if (isFirstFailure) this.#warn(error);
        isFirstFailure = false;
      }
      await sleep(RETRY_MS, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection is closed for good, which only `close` does. */
  async #connect(listener: BusListener): Promise<void> {
    const connection = await this.#module.connect({
      ...this.#servers,
      name: "parley",
      noEcho: true,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      ignoreAuthErrorAbort: true,
      pingInterval: PING_MS,
    });
    if (this.#stop.signal.aborted) return connection.close();
    this.#connection = connection;
    const { prefix, node } = this.#options;
    connection.subscribe(`${prefix}.log`, {
      callback: (error, message) => error ?? readHeads(message.string(), node, listener),
    });
    connection.subscribe(`${prefix}.queues`, {
      callback: (error, message) => error ?? readQueues(message.string(), node, listener),
    });
    this.#up(listener, "connected to NATS");
    for await (const { type } of connection.status()) {
      if (type === "disconnect" && this.#isUp && !this.#stop.signal.aborted) {
        this.#isUp = false;
        this.#options.log.warn("NATS is gone; changes by other nodes are still noticed within a second");
      } else if (type === "reconnect") {
        this.#up(listener, "NATS is back");
      }
    }
    this.#isUp = false;
  }

  #up(listener: BusListener, message: string): void {
    this.#isUp = true;
    this.#options.log.info(message);
    listener.missed();
  }

  /** The error's message may contain the address, but never its credentials, which are passed separately. */
  #warn(error: unknown): void {
    const { name, message } = error as Error;
    this.#options.log.warn({ reason: `${name}: ${message}` }, "NATS can't be reached; trying again");
  }
}
