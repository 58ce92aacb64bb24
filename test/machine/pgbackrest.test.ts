// The examples for pgBackRest, beside a server under load whose PostgreSQL is lost and brought back.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  api,
  build,
  freePort,
  isRoot,
  type Person,
  signIn,
  start,
  temporaryDirectory,
  waitUntil,
} from "../e2e/parley.ts";
import { keepSending, messagesSince, type Sent, send } from "./backup-load.ts";
import { LONG_MS } from "./backup-times.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/pgbackrest/${name}`, import.meta.url)), "utf8");

/** PostgreSQL refuses to run as root. */
const person: Person = isRoot ? { uid: 65_534, gid: 65_534 } : {};

beforeAll(build);

test(
  "an outside database is restored to a moment, message by message, and clients are told to start again",
  async () => {
    const postgres = await createPostgres();
    const env = {
      DATABASE_URL: postgres.url,
      PARLEY_DATA_DIR: path.join(temporaryDirectory(), "data"),
      PARLEY_ENV: "development",
    };
    await postgres.start();
    postgres.backup("stanza-create");
    postgres.backup("check");
    const server = await start(["demo"], { env });
    const key = await signIn(server);
    const queue = (await api(server, "POST", "/register", { event_types: ["message"] }, key)).body;
    const sent: Sent[] = [];
    const load = keepSending(server, key, sent);
    await waitUntil(() => sent.length >= 10, "messages before the backup");
    postgres.backup("--type=full", "backup");
    await postgres.nextSecond();
    const during = sent.length;
    await waitUntil(() => sent.length >= during + 20, "messages before the moment");
    const before = sent.length;
    const moment = await postgres.moment();
    const possible = sent.length + 1;
    await waitUntil(() => sent.length >= possible + 20, "messages after the moment");
    const part = postgres.query("select pg_walfile_name(pg_switch_wal())");
    const hasPart = () => postgres.query("select last_archived_wal from pg_stat_archiver") >= part;
    await waitUntil(hasPart, "the archive of the log", 60_000);
    await server.stop("SIGKILL");
    await load;
    await postgres.lose();

    postgres.backup("--type=time", `--target=${moment}`, "--target-action=promote", "restore");
    await postgres.start();
    const second = await start(["demo"], { env });
    const key2 = await signIn(second);
    const found = await messagesSince(second, key2, (sent[0] as Sent).id);
    // The one that was on its way at that moment may be there.
    expect(found).toEqual(sent.slice(0, found.length));
    expect(found.length).toBeGreaterThanOrEqual(before);
    expect(found.length).toBeLessThanOrEqual(possible);
    const position = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
    const { status, body } = await api(second, "GET", "/events", position, key2);
    expect([status, body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    const { body: after } = await send(second, key2, "after the restore");
    expect(after.result).toBe("success");
    // The log of the new timeline is archived too.
    postgres.backup("check");
  },
  LONG_MS,
);

test("the pages for operators name the files of the example and its commands", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/backup.md", import.meta.url)), "utf8");
  for (const words of [
    "deploy/pgbackrest/pgbackrest.conf",
    "deploy/pgbackrest/postgresql.conf",
    "pgbackrest --stanza=parley stanza-create",
    "pgbackrest --stanza=parley check",
    "pgbackrest --stanza=parley --type=full backup",
    "--target-action=promote restore",
  ])
    expect(page).toContain(words);
});

/** A PostgreSQL with the settings of the examples, whose places alone are other ones. */
async function createPostgres() {
  const dir = temporaryDirectory(person);
  const own = (name: string) => path.join(dir, name);
  const port = await freePort();
  const config = example("pgbackrest.conf")
    .replace("/var/lib/pgbackrest", own("repository"))
    .replace("/var/lib/postgresql/15/main", own("cluster"))
    .replace("pg1-port=5432", `pg1-port=${port}`)
    .replace("/var/run/postgresql", dir)
    // Debian's package makes these folders for the user postgres.
    .replace(
      "[global]",
      `[global]\nlog-level-file=off\nlock-path=${own("locks")}\nspool-path=${own("spool")}`,
    );
  for (const text of ["/var/", "=5432"]) expect(config).not.toContain(text);
  const program = own("pgbackrest.conf");
  writeFileSync(program, `${config}pg1-user=parley\n`);
  chmodSync(program, 0o644);
  const settings = example("postgresql.conf").replace(
    "'pgbackrest ",
    `'/usr/bin/pgbackrest --config=${program} `,
  );
  run(`${BIN}/initdb`, "-D", own("cluster"), "-U", "parley", "-A", "trust", "-E", "UTF8", "--locale=C");
  writeFileSync(own("parley.conf"), settings);
  chmodSync(own("parley.conf"), 0o644);
  // In the cluster's own file, so that a restore brings it back.
  appendFileSync(own("cluster/postgresql.conf"), `include '${own("parley.conf")}'\n`);
  let child: ChildProcess | undefined;
  onTestFinished(() => stop("SIGQUIT"));

  function run(command: string, ...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, words, { ...person, cwd: dir, encoding: "utf8" });
    if (status !== 0)
      throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  function query(text: string): string {
    return run(
      "/usr/bin/psql",
      "-h",
      dir,
      "-p",
      String(port),
      "-U",
      "parley",
      "-d",
      "postgres",
      "-Atc",
      text,
    );
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  return {
    url: `postgresql://parley@127.0.0.1:${port}/postgres`,
    query,
    /** Runs pgBackRest. */
    backup: (...words: string[]) =>
      run("/usr/bin/pgbackrest", `--config=${program}`, "--stanza=parley", ...words),
    async start(): Promise<void> {
      const words = ["-D", own("cluster"), "-p", String(port), "-k", dir, "-c", "listen_addresses=127.0.0.1"];
      child = spawn(`${BIN}/postgres`, words, { ...person, cwd: dir, stdio: "ignore" });
      const isReady = () =>
        spawnSync(`${BIN}/pg_isready`, ["-h", dir, "-p", String(port)]).status === 0 &&
        query("select pg_is_in_recovery()") === "f";
      await waitUntil(isReady, "PostgreSQL", 60_000);
    },
    /**
     * The next whole second begins. pgBackRest notes the end of a backup in whole seconds, and restores only
     * to moments of a later one.
     */
    async nextSecond(): Promise<void> {
      const second = query("select date_trunc('second', clock_timestamp()) + interval '1 s'");
      await waitUntil(() => query(`select clock_timestamp() >= '${second}'`) === "t", "the next second");
    },
    /** A moment of the database's clock that no commit shares. */
    async moment(): Promise<string> {
      const moment = query("select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms'");
      await waitUntil(() => query(`select clock_timestamp() > '${moment}'`) === "t", "the end of the moment");
      return moment;
    },
    /** The database ends, and its files are gone. */
    async lose(): Promise<void> {
      await stop("SIGQUIT");
      rmSync(own("cluster"), { recursive: true });
      run("/bin/mkdir", "-m", "700", own("cluster"));
    },
  };
}
