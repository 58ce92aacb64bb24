import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { findProcesses } from "../harness/checkout.ts";
import { createEmptyDatabase } from "../harness/postgres.ts";
import {
  api,
  build,
  call,
  type Person,
  people,
  program,
  run,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

/** The lines of the log, without what each has. */
function logOf(server: Server): object[] {
  const lines = server.stderr().trim().split("\n");
  return lines.map((line) => {
    const { level: _, time: _time, pid: _pid, hostname: _host, ...fields } = JSON.parse(line);
    return fields;
  });
}

describe.each(people)("a server that %s starts", (_name, person) => {
  test("prints its address when it is ready, and its log says when it started and stopped", async () => {
    const dataDir = temporaryDirectory(person);
    const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir }, person });
    const response = await fetch(`${server.url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: "ok" });
    expect(server.stdout()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/m);
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(logOf(server)).toEqual([
      { msg: "started", version: expect.any(String), url: server.url, database: "embedded", dataDir },
      { msg: "SIGTERM: stopping" },
      { msg: expect.stringMatching(/^stopped after \d\.\d s$/) },
    ]);
  });

  test("needs no directory for temporary files", async () => {
    const env = { PARLEY_DATA_DIR: temporaryDirectory(person), TMPDIR: "/nonexistent" };
    const server = await start(["serve"], { env, person });
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("prints a link that creates the first organization, and works once", async () => {
    const server = await start(["serve"], { env: { PARLEY_DATA_DIR: temporaryDirectory(person) }, person });
    const [link = ""] = /http:\S+\/new\/\S+/.exec(server.stdout()) ?? [];
    const page = await (await fetch(link)).text();
    const answers = {
      organization_name: "Chess Club",
      full_name: "Grace Hill",
      email: "grace@chess.test",
      password: "knight-takes-rook",
    };
    const fields = [...page.matchAll(/<input[^>]*\bname="([^"]+)"/g)].map(([, name]) => name);
    expect(fields).toEqual(Object.keys(answers));
    const form = new URLSearchParams(answers);
    const created = await fetch(link, { method: "POST", body: form });
    expect([created.status, await created.text()]).toEqual([200, expect.stringContaining("Chess Club")]);
    const { email: username, password } = answers;
    const signedIn = await api(server, "POST", "/fetch_api_key", { username, password });
    expect(signedIn.body).toMatchObject({ result: "success", email: username });
    const again = await fetch(link, { method: "POST", body: form, redirect: "manual" });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/"]);
    expect(await (await fetch(link)).text()).not.toContain("Create organization");
    await server.stop();
  });

  test("goes on where it was stopped, and no longer prints the link", async () => {
    const env = { PARLEY_DATA_DIR: temporaryDirectory(person), PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
    const made = await call(
      [
        "organization",
        "create",
        "Chess Club",
        "--owner-name",
        "Grace Hill",
        "--owner-email",
        "grace@chess.test",
      ],
      { env, person },
    );
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const server = await start(["serve"], { env, person });
    expect(server.stdout()).not.toContain("/new/");
    const { body } = await api(server, "POST", "/fetch_api_key", {
      username: "grace@chess.test",
      password: "knight-takes-rook",
    });
    expect(body.result).toBe("success");
    await server.stop();
  });
});

test.runIf(process.getuid?.() === 0)(
  "root without capabilities, as in a container, learns what to set",
  () => {
    const words = ["--bounding-set=-all", "--inh-caps=-all", process.execPath, program, "serve"];
    const { status, stderr } = spawnSync("setpriv", words, {
      env: { PATH: process.env.PATH, PARLEY_PORT: "0", PARLEY_DATA_DIR: temporaryDirectory() },
      encoding: "utf8",
    });
    expect(status).toBe(77);
    expect(stderr).toBe(
      "PostgreSQL refuses to run as root, and this root may not become another user (it lacks CAP_SETUID and CAP_SETGID). Run Parley as another user, as with `user: 1000` of a container. (P213)\n",
    );
  },
);

test("a start waits for a database that nothing listens for yet, says so, and can be stopped", async () => {
  const env = {
    PARLEY_DATA_DIR: temporaryDirectory(),
    DATABASE_URL: "postgres://parley:hidden-password@127.0.0.1:1/parley",
    PARLEY_SECRET: "a long enough secret",
  };
  const server = run(["serve"], { env });
  await server.prints(
    /^The database at 127\.0\.0\.1:1\/parley in DATABASE_URL can't be reached: nothing listens/,
  );
  expect(server.stderr()).not.toContain("hidden-password");
  server.child.kill("SIGTERM");
  expect(await server.end).toMatchObject({ signal: "SIGTERM" });
});

describe("a server that is asked to stop", () => {
  test("answers the polls that it holds, and exits with 0 within five seconds", async () => {
    const server = await start(["demo"], {});
    const [, dataDir = ""] = /^ {2}data {6}(\S+)$/m.exec(server.stdout()) ?? [];
    expect(existsSync(dataDir)).toBe(true);
    const key = await signIn(server);
    const polls: ReturnType<typeof api>[] = [];
    for (let count = 0; count < 20; count++) {
      const { body } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
      const place = { queue_id: body.queue_id, last_event_id: body.last_event_id };
      polls.push(api(server, "GET", "/events", place, key));
    }
    // Calls are taken up in their order, so by now all of them are held.
    expect((await api(server, "GET", "/users/me", {}, key)).status).toBe(200);
    const end = await server.stop("SIGTERM");
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.tookMs).toBeLessThan(5000);
    for (const poll of polls) expect((await poll).body).toHaveProperty("result");
    await waitUntil(() => findProcesses(dataDir).length === 0, "no process is left");
    // The demo's own directory is removed, too.
    expect(existsSync(dataDir)).toBe(false);
  });

  test("waits for a request under way, unless it is asked a second time", async () => {
    const dataDir = await usedDirectory("serve");
    const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
    const socket = net.connect(Number(server.port), "127.0.0.1");
    socket.on("error", () => {});
    // A form whose body never arrives.
    socket.write("POST /new/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n");
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    server.child.kill("SIGTERM");
    // Signals that are less than 250 ms apart for the server are npm's way of passing on one.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(server.child.exitCode).toBe(null);
    expect(await server.stop("SIGTERM")).toMatchObject({ code: 143 });
    await waitUntil(() => findProcesses(dataDir).length === 0, "the database has stopped");
  });

  test("twice within a moment, as npm does at Ctrl+C, still stops properly", async () => {
    const server = await start(["serve"], { env: { PARLEY_DATA_DIR: await usedDirectory("serve") } });
    server.child.kill("SIGINT");
    expect(await server.stop("SIGINT")).toMatchObject({ code: 0, signal: null });
  });

  test("while it is still starting leaves nothing behind", async () => {
    const dataDir = temporaryDirectory();
    const server = run(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
    await waitUntil(
      () => readdirSync(dataDir).some((name) => name.startsWith("postgres")),
      "the cluster is being made",
    );
    server.child.kill("SIGTERM");
    expect(await server.end).toEqual({ code: 0, signal: null });
    await waitUntil(() => findProcesses(dataDir).length === 0, "the database has stopped");
  });
});

describe("a server that can't start says why in one sentence, with its number and exit code", () => {
  /** The sentence, whose number and exit code must be these. */
  async function refusal(
    env: Record<string, string>,
    [number, exit]: readonly [number: string, exit: number],
    person: Person = {},
  ) {
    const { code, stdout, stderr } = await call(["serve"], { env, person });
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr.trim().slice(-` (${number})`.length)).toBe(` (${number})`);
    return stderr.trim().slice(0, -` (${number})`.length);
  }

  test("when the port is taken", async () => {
    const blocker = net.createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as net.AddressInfo;
    const dataDir = await usedDirectory("serve");
    expect(await refusal({ PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port) }, ["P113", 75])).toBe(
      `Port ${port} on 127.0.0.1 is already in use, perhaps by another Parley server. Stop that program, or choose another port with PARLEY_PORT.`,
    );
    await waitUntil(() => findProcesses(dataDir).length === 0, "no process is left");
    blocker.close();
  });

  test("when this machine does not have the address", async () => {
    const dataDir = await usedDirectory("serve");
    expect(await refusal({ PARLEY_DATA_DIR: dataDir, PARLEY_HOST: "192.0.2.1" }, ["P112", 69])).toBe(
      "This machine has no address 192.0.2.1 to listen on. Choose another with PARLEY_HOST.",
    );
  });

  test("when the data directory can't be written", async () => {
    const [, person] = people.at(-1) as (typeof people)[number];
    const dir = temporaryDirectory(person);
    const dataDir = path.join(dir, "data");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o555);
    expect(await refusal({ PARLEY_DATA_DIR: dataDir }, ["P201", 77], person)).toMatch(
      /^The data directory \S+ can't be written by user id \d+\. Run this command as its owner, change the owner, or choose another directory with PARLEY_DATA_DIR\.$/,
    );
  });

  test("when no directory is short enough for the database's socket", async () => {
    const [, person] = people.at(-1) as (typeof people)[number];
    const dataDir = path.join(temporaryDirectory(person), "long".repeat(30));
    const env = { PARLEY_DATA_DIR: dataDir, TMPDIR: "/nonexistent" };
    expect(await refusal(env, ["P215", 73], person)).toMatch(
      /^There is no directory for the database's socket: ENOENT.*\. Choose a data directory with a shorter path in PARLEY_DATA_DIR, or set TMPDIR\.$/,
    );
  });

  test("when the data directory is a file", async () => {
    const file = path.join(temporaryDirectory(), "data");
    writeFileSync(file, "");
    expect(await refusal({ PARLEY_DATA_DIR: file }, ["P202", 78])).toContain(file);
  });

  test("when another server uses the data directory, which goes on undisturbed", async () => {
    const dataDir = await usedDirectory("serve");
    const first = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
    expect(await refusal({ PARLEY_DATA_DIR: dataDir }, ["P206", 75])).toBe(
      `Another Parley server (process ${first.child.pid}) is already using the data directory ${dataDir}. Stop it, or choose another directory with PARLEY_DATA_DIR.`,
    );
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    expect(await first.stop()).toMatchObject({ code: 0 });
  });

  test("when the host in DATABASE_URL is unknown", async () => {
    const env = {
      PARLEY_DATA_DIR: temporaryDirectory(),
      DATABASE_URL: "postgres://parley:hidden-password@nothing.invalid/parley",
      PARLEY_SECRET: "a long enough secret",
    };
    expect(await refusal(env, ["P301", 69])).toBe(
      "The database at nothing.invalid/parley in DATABASE_URL can't be reached: its host name is unknown. Correct it in DATABASE_URL, or look at the name server.",
    );
  });

  test("when DATABASE_URL is set without the secret that all servers share", async () => {
    const database = await createEmptyDatabase();
    const env = { PARLEY_DATA_DIR: temporaryDirectory(), DATABASE_URL: urlOf(database.connection) };
    expect(await refusal(env, ["P107", 78])).toMatch(/^DATABASE_URL is set, so PARLEY_SECRET must be too/);
    await database.drop();
  });

  test("when the database was made by a newer Parley", async () => {
    const database = await createEmptyDatabase();
    const env = {
      PARLEY_DATA_DIR: temporaryDirectory(),
      DATABASE_URL: urlOf(database.connection),
      PARLEY_SECRET: "a long enough secret",
    };
    const first = await start(["serve"], { env });
    await first.stop();
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query("insert into migrations (id, name) values (9999, 'from_the_future')");
    await client.end();
    expect(await refusal(env, ["P211", 78])).toMatch(
      /^The database was made by a newer Parley \(schema 9999; this one knows up to \d+\)\. Upgrade Parley, or restore a backup\.$/,
    );
    await database.drop();
  });

  test.each<[Record<string, string>, RegExp, string?]>([
    [{ PARLEY_PORT: "many" }, /^PARLEY_PORT is 'many', but must be a whole number/],
    [{ PARLEY_ENV: "staging" }, /^PARLEY_ENV is 'staging', but must be production or development\.$/],
    [{ PARLEY_PUBLIC_URL: "chat" }, /^PARLEY_PUBLIC_URL is 'chat'/],
    [{ PARLEY_SECRET: "short" }, /^PARLEY_SECRET has fewer than 16 characters/, "P106"],
    [
      { DATABASE_URL: "sqlite:x", PARLEY_SECRET: "a long enough secret" },
      /^DATABASE_URL has the form postgres:/,
    ],
  ])("when a setting is wrong: %o", async (env, sentence, number = "P101") => {
    expect(await refusal({ PARLEY_DATA_DIR: temporaryDirectory(), ...env }, [number, 78])).toMatch(sentence);
  });
});

function urlOf(connection: { host: string; port: number; user: string; database: string }): string {
  const { host, port, user, database } = connection;
  return `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`;
}
