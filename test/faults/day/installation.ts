import { execFileSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../server/platform/postgres/launcher.ts";
import { isRoot, parley, temporaryDirectory, usedDirectory } from "../../e2e/parley.ts";
import { DatabaseGate } from "../../harness/database-gate.ts";
import { type S3Server, startS3Server } from "../../harness/s3-server.ts";
import type { Cluster } from "../cluster.ts";
import { findDatabase } from "../database-processes.ts";
import { ServerProcess } from "../server-process.ts";
import { DayLog } from "./day-log.ts";
import { Gate } from "./gate.ts";
import { MailNeighbour, WebhookNeighbour } from "./neighbours.ts";

export interface Kind {
  /** A PostgreSQL that the test starts, in place of the server's own. */
  isOutside: boolean;
  /** The log goes to a file on a small disk, in place of a pipe. */
  hasLogFile: boolean;
  /** Files are in a bucket. */
  hasBucket: boolean;
}

/** A file system of its own, which only root can make. */
export class Disk {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static make(size: string): Disk {
    const disk = new Disk(temporaryDirectory());
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=711`, "tmpfs", disk.dir]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", disk.dir]));
    return disk;
  }

  /** Leaves no room, or so much. */
  resize(freeKiB: number): void {
    const { blocks, bfree, bsize } = statfsSync(this.dir);
    const used = Math.ceil(((blocks - bfree) * bsize) / 1024);
    execFileSync("mount", ["-o", `remount,size=${used + freeKiB}k`, this.dir]);
  }
}

/** One server with everything around it that can break. */
export class Installation {
  readonly kind: Kind;
  readonly node: ServerProcess;
  readonly log: DayLog;
  /** Between the clients and the server. */
  readonly clients: Gate;
  readonly mail: MailNeighbour;
  readonly webhook: WebhookNeighbour;
  readonly bucket: S3Server | undefined;
  /** The disks of the data and of the log; undefined where nobody can mount. */
  readonly dataDisk: Disk | undefined;
  readonly logDisk: Disk | undefined;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly outside: OutsideDatabase | undefined;

  private constructor(made: Omit<Installation, "cluster" | "stop" | "where" | "database">) {
    this.kind = made.kind;
    this.node = made.node;
    this.log = made.log;
    this.clients = made.clients;
    this.mail = made.mail;
    this.webhook = made.webhook;
    this.bucket = made.bucket;
    this.dataDisk = made.dataDisk;
    this.logDisk = made.logDisk;
    this.dataDir = made.dataDir;
    this.env = made.env;
    this.outside = made.outside;
  }

  static async start(kind: Kind): Promise<Installation> {
    const dataDisk = isRoot ? Disk.make("3g") : undefined;
    const logDisk = isRoot && kind.hasLogFile ? Disk.make("64m") : undefined;
    const dataDir = path.join(dataDisk?.dir ?? temporaryDirectory(), "data");
    const used = await usedDirectory("demo");
    const outside = kind.isOutside ? await OutsideDatabase.start(used) : undefined;
    if (outside) {
      mkdirSync(dataDir);
      execFileSync("cp", ["-a", path.join(used, "files"), dataDir]);
    } else {
      execFileSync("cp", ["-a", used, dataDir]);
    }
    const [mail, webhook] = [await MailNeighbour.open(), await WebhookNeighbour.open()];
    const bucket = kind.hasBucket ? await startS3Server() : undefined;
    const env = {
      PARLEY_DATA_DIR: dataDir,
      ...mail.settings,
      ...bucket?.variables,
      ...(outside && { DATABASE_URL: outside.url }),
    };
    // The files of the directory stay behind: the demo's pictures are not asked for.
    if (bucket) {
      const adopted = await parley(["files", "adopt", "--empty"], { ...env, PARLEY_ENV: "development" });
      expect(adopted).toMatchObject({ code: 0, stderr: "" });
    }
    const logFile = logDisk && path.join(logDisk.dir, "log");
    const node = new ServerProcess("the server", env, 0, {
      words: ["serve"],
      ...(logFile !== undefined && { logFile }),
      pauseMs: 500,
    });
    const log = new DayLog(node, logFile);
    const clients = await Gate.open(() =>
      node.url === undefined ? undefined : Number(new URL(node.url).port),
    );
    node.start();
    await node.ready();
    const made = {
      kind,
      node,
      log,
      clients,
      mail,
      webhook,
      bucket,
      dataDisk,
      logDisk,
      dataDir,
      env,
      outside,
    };
    return new Installation(made);
  }

  /** Where clients ask; undefined while nobody listens. */
  where = (): string | undefined =>
    this.node.url === undefined ? undefined : `http://127.0.0.1:${this.clients.port}`;

  database = () => findDatabase(this.outside?.dataDir ?? this.dataDir);

  cluster(): Cluster {
    return { nodes: [this.node], database: this.database, address: this.where, stop: () => this.stop() };
  }

  async stop(): Promise<void> {
    this.node.signal("SIGCONT");
    await this.node.stop();
    await this.outside?.stop();
    await this.clients.shut();
    await this.mail.close();
    await this.webhook.close();
    await this.bucket?.close();
  }
}

/** A PostgreSQL beside the server, which reaches it through a gate. */
export class OutsideDatabase {
  readonly dataDir: string;
  readonly gate: DatabaseGate;
  readonly url: string;
  #postgres: EmbeddedPostgres;

  private constructor(dataDir: string, postgres: EmbeddedPostgres, gate: DatabaseGate) {
    this.dataDir = dataDir;
    this.#postgres = postgres;
    this.gate = gate;
    const { user, database, host } = gate.connection;
    this.url = `postgresql://${user}@${encodeURIComponent(host as string)}/${database}`;
  }

  static async start(dataDir: string): Promise<OutsideDatabase> {
    const postgres = await startEmbeddedPostgres({ dataDir });
    return new OutsideDatabase(dataDir, postgres, await DatabaseGate.open(postgres.connection));
  }

  /** Off for so long. It comes back at the same address. */
  async restart(offMs: number): Promise<void> {
    await this.#postgres.stop();
    await sleep(offMs);
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.dataDir });
  }

  /** A session of the database's administrator, beside the server's. */
  async session(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#postgres.connection, user: "postgres" });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Runs statements, and ends the session. */
  async run(...statements: readonly string[]): Promise<void> {
    const client = await this.session();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async stop(): Promise<void> {
    this.gate.reconnect();
    await this.gate.remove();
    await this.#postgres.stop();
  }
}
