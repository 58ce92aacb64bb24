/**
 * Copies PostgreSQL's log to a target as it is written, so that a restore can go to any moment. A replication
 * slot keeps what is not copied yet, up to `max_slot_wal_keep_size`: a target that is away fills no disk, and
 * sends never wait. Then the slot is lost, the stream ends, and another one begins with the next backup.
 */
import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { SUPERUSER } from "../postgres/cluster.ts";
import type { Connection } from "../postgres/ready.ts";
import { connectForReplication, identifySystem } from "./base-backup.ts";
import { withConnection } from "./connection.ts";
import {
  type ArchivedUntil,
  deleteUnfinishedChunks,
  formatLocation,
  parseLocation,
  writeChunk,
  writeUntil,
} from "./log-chunks.ts";
import { claimTarget } from "./manifest.ts";
import { createArchiveSlot, dropSlot, findArchiveSlot, findLogEnd, freeSlot, SLOT_PREFIX } from "./store.ts";
import type { BackupTarget } from "./target.ts";

export interface LogArchiveOptions {
  connection: Connection;
  target: BackupTarget;
  /** Called when the archive stands still; it tries again by itself. */
  report(error: unknown): void;
  /** After how long a part of a chunk is written: what a disaster may cost at most. */
  flushMs?: number;
  /** How long it waits after a failure. */
  retryMs?: number;
}

const FLUSH_MS = 10_000;
const RETRY_MS = 30_000;
/** A chunk is written at once when it has this size. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export class LogArchive {
  readonly #options: LogArchiveOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: LogArchiveOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Writes what has come. PostgreSQL's own stop would wait for a reader that is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { retryMs = RETRY_MS } = this.#options;
    while (!signal.aborted) {
      await this.#follow().catch((error) => {
        if (!signal.aborted) this.#options.report(error);
      });
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #follow(): Promise<void> {
    const { connection, target, flushMs = FLUSH_MS } = this.#options;
    await target.prepare();
    const client = await connectForReplication(connection);
    try {
      await claimTarget(target, await identifySystem(client));
      const slot = await openSlot(connection);
      await deleteUnfinishedChunks(target, slot.stream);
      const stream = new LogStream(connection, client, target, slot.stream);
      await stream.follow(slot.name, slot.location, flushMs, this.#stopping.signal);
    } finally {
      (client as unknown as { connection: CopyBoth }).connection.stream.destroy();
    }
  }
}

/** The slot of this cluster. One that has lost a part of the log is replaced. */
async function openSlot(connection: Connection): Promise<{ name: string; stream: string; location: bigint }> {
  return withConnection({ ...connection, user: SUPERUSER }, async (db) => {
    let slot = await findArchiveSlot(db);
    if (slot?.isLost) {
      await dropSlot(db, slot.name);
      slot = undefined;
    }
    if (slot) await freeSlot(db, slot.name);
    slot ??= await createArchiveSlot(db, `${SLOT_PREFIX}${randomBytes(6).toString("hex")}`);
    return {
      name: slot.name,
      stream: slot.name.slice(SLOT_PREFIX.length),
      location: parseLocation(slot.location),
    };
  });
}

interface CopyBoth extends EventEmitter {
  stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
}

const [DATA, KEEPALIVE] = [0x77, 0x6b];
/** Before the bytes of the log: the kind, two locations and a time. */
const DATA_HEADER = 25;

/** One connection's worth of the log. */
class LogStream {
  readonly #database: Connection;
  readonly #connection: CopyBoth;
  readonly #client: pg.Client;
  readonly #target: BackupTarget;
  readonly #stream: string;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Where the waiting bytes end. */
  #received = 0n;
  /** Up to here the log is in the target. */
  #stored = 0n;
  #writing: Promise<void> = Promise.resolve();
  #fail: (error: unknown) => void = () => {};

  constructor(database: Connection, client: pg.Client, target: BackupTarget, stream: string) {
    this.#database = database;
    this.#client = client;
    this.#connection = (client as unknown as { connection: CopyBoth }).connection;
    this.#target = target;
    this.#stream = stream;
  }

  /** Resolves when the signal says so, after what has come is written. Throws if the connection breaks. */
  async follow(slot: string, from: bigint, flushMs: number, signal: AbortSignal): Promise<void> {
    this.#received = this.#stored = from;
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    failed.catch(() => {});
    this.#connection.on("copyData", ({ chunk }: { chunk: Buffer }) => this.#take(chunk));
    this.#client
      .query(`START_REPLICATION SLOT ${slot} PHYSICAL ${formatLocation(from)}`)
      .then(() => this.#fail(new Error("PostgreSQL ended its log")), this.#fail);
    this.#client.on("end", () => this.#fail(new Error("the connection for the log was lost")));
    while (!signal.aborted) {
      const end = await Promise.race([failed, this.#end()]);
      await Promise.race([failed, sleep(flushMs, undefined, { signal }).catch(() => {})]);
      await Promise.race([failed, this.#flush()]);
      if (this.#stored >= end.location) await writeUntil(this.#target, this.#stream, end);
    }
  }

  /** What is committed before `at` is in the log up to the location. */
  async #end(): Promise<ArchivedUntil> {
    const at = new Date();
    return { at, location: parseLocation(await withConnection(this.#database, findLogEnd)) };
  }

  #take(chunk: Buffer): void {
    if (chunk[0] === DATA) {
      const start = chunk.readBigUInt64BE(1);
      const bytes = Buffer.from(chunk.subarray(DATA_HEADER));
      if (start !== this.#received) {
        this.#fail(new Error("a part of the log was left out"));
        return;
      }
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
      this.#received += BigInt(bytes.length);
      if (this.#waitingBytes >= MAX_WAITING_BYTES) this.#connection.stream.pause();
      if (this.#waitingBytes >= CHUNK_BYTES) this.#flush().catch(this.#fail);
    } else if (chunk[0] === KEEPALIVE && chunk[17] === 1) this.#confirm();
  }

  /** Writes what waits, one chunk after the other, and tells PostgreSQL that it need not keep it. */
  #flush(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      if (this.#waitingBytes > 0) {
        const bytes = Buffer.concat(this.#waiting);
        this.#waiting = [];
        this.#waitingBytes = 0;
        const { end } = await writeChunk(this.#target, this.#stream, this.#stored, bytes);
        this.#stored = end;
        this.#connection.stream.resume();
      }
      this.#confirm();
    });
    return this.#writing;
  }

  /** The reply has the locations that were written, flushed and applied, a time, and whether to answer. */
  #confirm(): void {
    const reply = Buffer.alloc(34);
    reply[0] = 0x72;
    for (const offset of [1, 9, 17]) reply.writeBigUInt64BE(this.#stored, offset);
    this.#connection.sendCopyFromChunk(reply);
  }
}
