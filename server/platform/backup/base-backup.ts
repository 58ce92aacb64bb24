/**
 * A copy of PostgreSQL's files while it runs, by its replication protocol. PostgreSQL reads every page and
 * compares its checksum on the way. The copy is consistent once the log that comes with it is replayed: it
 * has all that was committed when it ended.
 */
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";
import { SUPERUSER } from "../postgres/cluster.ts";
import type { Connection } from "../postgres/ready.ts";
import { readTar, type TarEntry } from "./tar.ts";
import { BackupError } from "./target.ts";

/** How much of the copy may wait in memory for its reader. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Where the copy stands in PostgreSQL's log. */
export interface LogSpan {
  timeline: number;
  start: string;
  end: string;
}

/** A replication connection: it copies files or follows the log, and answers no other statements. */
export async function connectForReplication({ host, port }: Connection): Promise<pg.Client> {
  // Its password is empty, since only PostgreSQL's own user reaches the socket.
  const settings = { host, port, user: SUPERUSER, password: "", ssl: false, replication: "true" };
  const client = new pg.Client(settings as pg.ClientConfig);
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** The number that PostgreSQL gave the cluster when it was made. Copies and restored backups keep it. */
export async function identifySystem(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ systemid: string }>("IDENTIFY_SYSTEM");
  return (rows[0] as { systemid: string }).systemid;
}

/**
 * Calls `take` with each file and directory, one after the other; the content must be read to its end. The
 * log that was written meanwhile is kept for the copy, up to `max_slot_wal_keep_size`.
 */
export async function copyCluster(
  client: pg.Client,
  take: (entry: TarEntry) => Promise<void>,
): Promise<LogSpan> {
  await client.query("CREATE_REPLICATION_SLOT parley_backup TEMPORARY PHYSICAL RESERVE_WAL");
  const chunks = new CopyChunks(client);
  const copied = client
    .query("BASE_BACKUP (LABEL 'parley', CHECKPOINT 'fast', WAL true, MANIFEST 'no')")
    .then((results) => {
      chunks.finish();
      return results as unknown as pg.QueryResult[];
    });
  copied.catch((error) => chunks.fail(explained(error)));
  try {
    for await (const entry of readTar(chunks.read())) await take(entry);
  } catch (error) {
    // The server would go on sending to a connection that nobody reads.
    chunks.socket.destroy();
    throw error;
  }
  const [first, , last] = await copied;
  const [begin, end] = [first?.rows[0], last?.rows[0]] as { recptr: string; tli: string }[];
  if (!begin || !end) throw new Error("PostgreSQL does not say where its copy stands in the log");
  return { timeline: Number(end.tli), start: begin.recptr, end: end.recptr };
}

const DATA_CORRUPTED = "XX001";

function explained(error: Error & { code?: string }): Error {
  if (error.code !== DATA_CORRUPTED) return error;
  return new BackupError(
    "database-damaged",
    `PostgreSQL finds damaged pages in the database, so this is no good backup: ${error.message}. Keep the older backups, and look at the disk.`,
    { cause: error },
  );
}

interface CopyEvents extends EventEmitter {
  stream: Socket;
}

/** The bytes of the archive as they come. The connection is paused while too much waits. */
class CopyChunks {
  readonly socket: Socket;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isFinished = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  constructor(client: pg.Client) {
    const { connection } = client as unknown as { connection: CopyEvents };
    this.socket = connection.stream;
    connection.on("copyData", ({ chunk }: { chunk: Buffer }) => this.#take(chunk));
  }

  finish(): void {
    this.#isFinished = true;
    this.#wake();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#wake();
  }

  async *read(): AsyncGenerator<Buffer> {
    for (;;) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const chunk of waiting) {
        yield chunk;
        this.#waitingBytes -= chunk.length;
        if (this.#waitingBytes < MAX_WAITING_BYTES / 2) this.socket.resume();
      }
      if (this.#error) throw this.#error;
      if (this.#waiting.length > 0) continue;
      if (this.#isFinished) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The first byte says what it is: `d` is data. Others name the archive, or tell of progress. */
  #take(chunk: Buffer): void {
    if (chunk[0] !== 0x64) return;
    const data = Buffer.from(chunk.subarray(1));
    this.#waiting.push(data);
    this.#waitingBytes += data.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.socket.pause();
    this.#wake();
  }
}
