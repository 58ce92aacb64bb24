import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findNative } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { ourselves } from "./identity.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from "./launcher.ts";
import { waitForEnd } from "./processes.ts";
import { findRunningPostgres } from "./running.ts";
import { sharedBuffersMiB } from "./settings.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

let template: string;
let dir: string;
let running: EmbeddedPostgres[];

// Creating a cluster takes most of the time of a start, so most tests begin with a copy of one.
beforeAll(async () => {
  template = makeTemporaryDirectory("parley-launcher-");
  await (await startEmbeddedPostgres({ dataDir: template, settings: { fsync: "off" } })).stop();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  dir = makeTemporaryDirectory("parley-launcher-");
  running = [];
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe("the embedded PostgreSQL", () => {
  test("keeps its data across a stop and a start", async () => {
    const first = await start();
    await query(first, "create table kept (id int); insert into kept values (7)");
    await first.stop();
    const second = await start();
    expect(await query(second, "select id from kept")).toEqual([{ id: 7 }]);
  });

  test("is durable, and listens on no network", async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(dir, "data") });
    running.push(postgres);
    const settings = await query(
      postgres,
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'listen_addresses', 'jit') order by name",
    );
    expect(settings).toEqual([
      { name: "fsync", setting: "on" },
      { name: "jit", setting: "off" },
      { name: "listen_addresses", setting: "" },
      { name: "synchronous_commit", setting: "on" },
    ]);
  });

  test("lets its files be copied while it runs, also those of a data directory of before", async () => {
    copyTemplate(path.join(dir, "data"));
    const settings = { wal_level: "minimal", max_wal_senders: "0", fsync: "off" };
    await (await startEmbeddedPostgres({ dataDir: path.join(dir, "data"), settings })).stop();
    const { connection } = await start();
    const client = new pg.Client({ ...connection, user: "postgres", replication: "true" } as pg.ClientConfig);
    await client.connect();
    const { rows } = await client.query("IDENTIFY_SYSTEM").finally(() => client.end());
    // A number where a file of the same worker has loaded what reads the server's integers.
    expect(rows.map(({ timeline }) => Number(timeline))).toEqual([1]);
  });

  test("never runs as root, and only its own user can reach its socket", async () => {
    const postgres = await start();
    const owner = statSync(path.join(dir, "data", "postgres")).uid;
    const uid = process.getuid?.();
    if (uid === 0) expect(owner).not.toBe(0);
    else expect(owner).toBe(uid);
    const socketDir = statSync(postgres.connection.host);
    expect({ uid: socketDir.uid, mode: socketDir.mode & 0o777 }).toEqual({ uid: owner, mode: 0o700 });
    expect(readFileSync(`/proc/${serverPid()}/status`, "utf8")).toMatch(
      new RegExp(`^Uid:\\s+${owner}\\s`, "m"),
    );
  });

  test("does not get the secrets in our environment", async () => {
    process.env.PARLEY_SECRET = "hush";
    try {
      await start();
      expect(readFileSync(`/proc/${serverPid()}/environ`, "utf8")).not.toContain("hush");
    } finally {
      delete process.env.PARLEY_SECRET;
    }
  });

  test("works in a data directory whose path is too long for a socket", async () => {
    const deep = path.join(dir, "d".repeat(100), "e".repeat(100), "made", "at", "start");
    const postgres = await start({ dataDir: deep });
    expect(postgres.connection.host.length).toBeLessThan(90);
    await expect(start({ dataDir: deep })).rejects.toThrow(`A command of Parley (process ${process.pid})`);
  });

  test("leaves a socket directory of another user alone", async () => {
    const first = await start();
    const usual = path.dirname(first.connection.host);
    await first.stop();
    expect(existsSync(usual)).toBe(false);
    const elsewhere = path.join(dir, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, usual);
    try {
      const second = await start();
      expect(path.dirname(second.connection.host)).not.toBe(usual);
      expect(existsSync(path.join(elsewhere, "pg"))).toBe(false);
    } finally {
      rmSync(usual);
    }
  });

  test("is used by one server at a time", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      `A command of Parley (process ${process.pid}) is using the data directory ${path.join(dir, "data")}. Wait until it has ended, then try again.`,
    );
    expect(await query(first, "select 1 as one")).toEqual([{ one: 1 }]);
    await first.stop();
    const second = await start();
    expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("is locked under all names of its data directory", async () => {
    await start();
    symlinkSync(path.join(dir, "data"), path.join(dir, "other-name"));
    await expect(start({ dataDir: path.join(dir, "other-name") })).rejects.toThrow("A command of Parley");
  });

  test("can be found by a command while its server runs", async () => {
    const dataDir = path.join(dir, "data");
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    const postgres = await start();
    expect(await findRunningPostgres(dataDir)).toEqual(postgres.connection);
    await postgres.stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });

  test("stops while sessions are open, and may be stopped twice", async () => {
    const postgres = await start();
    const client = new pg.Client(postgres.connection);
    client.on("error", () => {});
    await client.connect();
    const sleeping = client.query("select pg_sleep(60)").catch((error: Error) => error.message);
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await sleeping).toMatch(/terminat/);
    await postgres.stop();
    await client.end().catch(() => {});
  });

  test("is restarted on the same socket when it ends by itself", async () => {
    const sentences: string[] = [];
    const postgres = await start({ onEnd: (sentence) => sentences.push(sentence) });
    const connection = { ...postgres.connection };
    for (const signal of ["SIGKILL", "SIGTERM", "SIGQUIT"] as const) {
      const killed = serverPid();
      process.kill(killed, signal);
      expect(await waitForEnd(killed, 15_000)).toBe(true);
      await expect
        .poll(() => query({ connection }, "select 1 as one").catch(() => "not yet"))
        .toEqual([{ one: 1 }]);
      expect(serverPid()).not.toBe(killed);
    }
    expect(sentences).toEqual([
      "The embedded PostgreSQL was ended by SIGKILL and is restarted.",
      "The embedded PostgreSQL ended with 0 and is restarted.",
      "The embedded PostgreSQL ended with 0 and is restarted.",
    ]);
  });

  test("is restarted again when it ends before it is ready", async () => {
    const sentences: string[] = [];
    const kills: NodeJS.Signals[] = ["SIGKILL", "SIGQUIT"];
    const log = (line: string) => {
      const signal = sentences.length > 0 && line.includes("starting PostgreSQL") ? kills.pop() : undefined;
      if (signal) process.kill(serverPid(), signal);
    };
    const postgres = await start({ log, onEnd: (sentence) => sentences.push(sentence) });
    process.kill(serverPid(), "SIGKILL");
    await expect.poll(() => query(postgres, "select 1 as one").catch(() => "not yet")).toEqual([{ one: 1 }]);
    expect(kills).toEqual([]);
    expect(sentences).toEqual([
      "The embedded PostgreSQL was ended by SIGKILL and is restarted.",
      "The embedded PostgreSQL ended with 0 and is restarted.",
      "The embedded PostgreSQL was ended by SIGKILL and is restarted.",
    ]);
  });

  test("can be stopped while it is restarted", async () => {
    await new Promise<void>((resolve, reject) => {
      const onEnd = () => void postgres.then((each) => each.stop()).then(resolve, reject);
      const postgres = start({ onEnd });
      postgres.then(() => process.kill(serverPid(), "SIGKILL"), reject);
    });
    const second = await start();
    expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("reports when it can't be restarted", async () => {
    const postgres = await start();
    rmSync(path.join(dir, "data", "postgres", "global", "pg_control"));
    process.kill(serverPid(), "SIGKILL");
    expect(await postgres.exited).toMatch(
      /^The embedded PostgreSQL was ended by SIGKILL and can't be restarted\. The database in \S+ is damaged: it is not whole \(PostgreSQL says: .*pg_control.*\)\. Keep a copy of it, /,
    );
  });

  test("is not restarted after a requested stop", async () => {
    const postgres = await start();
    await postgres.stop();
    expect(await Promise.race([postgres.exited, Promise.resolve("nothing")])).toBe("nothing");
  });

  test("keeps running when one of its sessions is killed", async () => {
    const postgres = await start();
    const client = new pg.Client(postgres.connection);
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    expect(await waitForEnd(pid, 15_000)).toBe(true);
    await expect.poll(() => query(postgres, "select 1 as one").catch(() => "not yet")).toEqual([{ one: 1 }]);
    await client.end().catch(() => {});
  });
});

describe("a start that fails", () => {
  test("names the data directory if it is a file", async () => {
    writeFileSync(path.join(dir, "data"), "");
    await expect(start()).rejects.toThrow(`The data directory ${path.join(dir, "data")} is not a directory.`);
    const below = startEmbeddedPostgres({ dataDir: path.join(dir, "data", "below") });
    await expect(below).rejects.toThrow("below something that is not a directory");
  });

  test("names the database directory if it is a file", async () => {
    mkdirSync(path.join(dir, "data"));
    writeFileSync(path.join(dir, "data", "postgres"), "");
    await expect(start()).rejects.toThrow("must be the directory of the database, but is a file");
  });

  test("leaves a directory with other contents alone", async () => {
    mkdirSync(path.join(dir, "data", "postgres"), { recursive: true });
    const file = path.join(dir, "data", "postgres", "letter.txt");
    writeFileSync(file, "dear");
    await expect(start()).rejects.toThrow("contains something that is not a PostgreSQL database");
    expect(readFileSync(file, "utf8")).toBe("dear");
  });

  test("names the version of PostgreSQL that made the database", async () => {
    await (await start()).stop();
    writeFileSync(path.join(dir, "data", "postgres", "PG_VERSION"), "17\n");
    await expect(start()).rejects.toThrow(
      "was made by PostgreSQL 17, but this Parley includes PostgreSQL 18",
    );
  });

  test("names a platform without binaries", () => {
    expect(() => findNative("plan9-x64")).toThrow("There is no embedded PostgreSQL for plan9-x64");
  });

  test("repeats the message of PostgreSQL, and releases the data directory", async () => {
    const dataDir = path.join(dir, "data");
    await expect(startEmbeddedPostgres({ dataDir, settings: { work_mem: "many" } })).rejects.toThrow(
      /PostgreSQL did not start: FATAL: {2}invalid value for parameter "work_mem"/,
    );
    expect(await query(await start(), "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("repeats the last lines of a failed initialization, and leaves nothing half done", async () => {
    const initdb = path.join(dir, "initdb");
    // A second try, with a locale that the system lacks, would hide what was wrong.
    const script =
      "case $* in *en_US*) echo 'invalid locale' >&2;; *) echo 'no room on the disk' >&2;; esac; exit 1";
    writeFileSync(initdb, `#!/bin/sh\n${script}\n`);
    chmodSync(initdb, 0o755);
    const binaries = { initdb, postgres: "", major: 18, env: {} };
    const clusterDir = path.join(dir, "postgres");
    await expect(ensureCluster(clusterDir, binaries, ourselves, true)).rejects.toThrow("no room on the disk");
    expect(existsSync(clusterDir)).toBe(false);
  });

  test("says that the disk is full, whatever PostgreSQL says after that", async () => {
    const initdb = path.join(dir, "initdb");
    const lines = [
      "FATAL: could not write: No space left on device",
      "PANIC",
      "Aborted",
      "exited",
      "removing",
    ];
    writeFileSync(
      initdb,
      `#!/bin/sh\nprintf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} >&2; exit 1\n`,
    );
    chmodSync(initdb, 0o755);
    const binaries = { initdb, postgres: "", major: 18, env: {} };
    const made = ensureCluster(path.join(dir, "postgres"), binaries, ourselves, true);
    await expect(made).rejects.toThrow("no space is left on the disk");
  });
});

test("an initialization that was interrupted does not block the next start", async () => {
  const unfinished = path.join(dir, "data", "postgres.new-123-abc");
  mkdirSync(unfinished, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(path.join(dir, "data"), 0o711);
  writeFileSync(path.join(unfinished, "PG_VERSION"), "18\n");
  expect(await query(await start(), "select 1 as one")).toEqual([{ one: 1 }]);
  expect(existsSync(unfinished)).toBe(false);
});

test("the shared buffers are an eighth of the memory, within bounds", () => {
  const GiB = 1024 ** 3;
  expect([GiB / 8, GiB, 64 * GiB].map(sharedBuffersMiB)).toEqual([32, 128, 256]);
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const dataDir = options.dataDir ?? path.join(dir, "data");
  if (!existsSync(dataDir) && existsSync(path.dirname(dataDir))) copyTemplate(dataDir);
  const postgres = await startEmbeddedPostgres({ ...options, dataDir, settings: { fsync: "off" } });
  running.push(postgres);
  return postgres;
}

function copyTemplate(dataDir: string): void {
  mkdirSync(dataDir);
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  cpSync(path.join(template, "postgres"), path.join(dataDir, "postgres"), { recursive: true });
}

async function query(postgres: Pick<EmbeddedPostgres, "connection">, text: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function serverPid(): number {
  return Number.parseInt(readFileSync(path.join(dir, "data", "postgres", "postmaster.pid"), "utf8"), 10);
}
