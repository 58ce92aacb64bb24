import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environmentWithoutSettings } from "../harness/own-environment.ts";

// PostgreSQL 14 or newer may stand in for the embedded one; this is the one that Debian 12 has.
const BIN = "/usr/lib/postgresql/15/bin";
const parley = fileURLToPath(new URL("../../bin/parley.js", import.meta.url));
const dir = mkdtempSync(join(realpathSync(tmpdir()), "parley-outside-"));
const started: ChildProcess[] = [];
let databaseUrl: string;

beforeAll(async () => {
  if (!existsSync(`${BIN}/postgres`))
    throw new Error(`PostgreSQL 15 is missing (Debian's package postgresql-15): ${BIN}`);
  const account: { uid?: number; gid?: number } = process.getuid?.() === 0 ? accountOf("nobody") : {};
  if (account.uid !== undefined) chownSync(dir, account.uid, account.gid as number);
  const port = await freePort();
  const cluster = join(dir, "cluster");
  const made = spawnSync(
    `${BIN}/initdb`,
    ["-D", cluster, "-U", "parley", "-A", "trust", "-E", "UTF8", "--locale=C"],
    {
      ...account,
      cwd: dir,
      encoding: "utf8",
    },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const options = [
    "-D",
    cluster,
    "-p",
    String(port),
    "-k",
    dir,
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    "fsync=off",
  ];
  started.push(spawn(`${BIN}/postgres`, options, { ...account, cwd: dir, stdio: "ignore" }));
  databaseUrl = `postgresql://parley@127.0.0.1:${port}/postgres`;
  await untilListening(port);
});

afterAll(async () => {
  for (const child of started.reverse()) await end(child);
  rmSync(dir, { recursive: true, force: true });
});

test("two servers share an outside PostgreSQL, and each delivers the other's messages", async () => {
  const made = run(
    ["organization", "create", "Outside", "--host", "localhost", ...owner],
    "a long passphrase",
  );
  expect(made.stderr).toBe("");
  expect(made.status).toBe(0);
  const key = run(["api-key", "olga@outside.test"]).stdout.trim();
  const [one, two] = await Promise.all([serve(), serve()]);
  const call = async (base: string, method: string, path: string, params: Record<string, string>) => {
    const query = new URLSearchParams(params);
    const response = await fetch(`${base}/api/v1${path}${method === "GET" ? `?${query}` : ""}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`olga@outside.test:${key}`).toString("base64")}` },
      ...(method === "GET" ? {} : { body: query }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  await call(one, "POST", "/users/me/subscriptions", { subscriptions: '[{"name":"ships"}]' });
  const queue = await call(two, "POST", "/register", { event_types: '["message"]' });
  const waiting = call(two, "GET", "/events", {
    queue_id: queue.queue_id as string,
    last_event_id: String(queue.last_event_id),
  });
  const sent = await call(one, "POST", "/messages", {
    type: "stream",
    to: "ships",
    topic: "sails",
    content: "Ahoy",
  });
  expect(sent).toMatchObject({ result: "success", msg: "" });
  expect(await waiting).toMatchObject({
    events: [{ type: "message", message: { id: sent.id, content: "Ahoy" } }],
  });
});

test("a server with DATABASE_URL in production requires PARLEY_SECRET", () => {
  const { status, stderr } = run(["serve"], undefined, { PARLEY_SECRET: "" });
  expect(status).toBe(78);
  expect(stderr).toContain("PARLEY_SECRET");
});

const owner = ["--owner-name", "Olga Mast", "--owner-email", "olga@outside.test"];

function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...environmentWithoutSettings(),
    DATABASE_URL: databaseUrl,
    PARLEY_SECRET: "the secret of the machine tests",
    PARLEY_DATA_DIR: join(dir, "data"),
    PARLEY_PORT: "0",
    ...extra,
  };
}

/** `password` is passed in a file, since other users can see the command line. */
function run(args: string[], password?: string, extra: Record<string, string> = {}) {
  if (password !== undefined) writeFileSync(join(dir, "password"), `${password}\n`);
  return spawnSync(process.execPath, [parley, ...args], {
    env: environment({ ...extra, ...(password === undefined ? {} : { PARLEY_OWNER_PASSWORD: password }) }),
    encoding: "utf8",
    timeout: 30_000,
  });
}

function serve(): Promise<string> {
  const child = spawn(process.execPath, [parley, "serve"], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const port = /listening on http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (port) resolve(`http://localhost:${port}`);
    });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${output}`)));
  });
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { status } = spawnSync(`${BIN}/pg_isready`, ["-h", "127.0.0.1", "-p", String(port)]);
    if (status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PostgreSQL did not start");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  await ended;
}
