/** What a server says of itself while its disk is full, its database stands still, or its bucket is away. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { DiskReserve } from "../../server/platform/postgres/disk-reserve.ts";
import { findProcesses } from "../harness/checkout.ts";
import { answerError, startS3Server } from "../harness/s3-server.ts";
import {
  api,
  build,
  isRoot,
  parley,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

interface Said {
  status: number;
  body: unknown;
}

/** As a probe asks that waits for a second. */
async function ask({ url }: Pick<Server, "url">, page: "/health" | "/ready"): Promise<Said> {
  const response = await fetch(url + page, { signal: AbortSignal.timeout(5000) });
  return { status: response.status, body: await response.json() };
}

const WELL: Said = { status: 200, body: { status: "ok" } };

/** To the database's main process and to those that serve connections. */
function signalDatabase(dataDir: string, signal: NodeJS.Signals): void {
  for (const { pid } of findProcesses(path.join(dataDir, "postgres"))) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    for (const each of [pid, ...children.map(Number)]) if (each > 0) process.kill(each, signal);
  }
}

test("a database that stands still makes a server unready, and leaves its process well", async () => {
  const dataDir = await usedDirectory("serve");
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
  expect([await ask(server, "/health"), await ask(server, "/ready")]).toEqual([WELL, WELL]);
  signalDatabase(dataDir, "SIGSTOP");
  onTestFinished(() => signalDatabase(dataDir, "SIGCONT"));
  const unready = { status: 503, body: { status: "unavailable", reason: "database" } };
  // An answer is kept for a second.
  await waitUntil(async () => (await ask(server, "/ready")).status === 503, "it is not ready");
  expect([await ask(server, "/health"), await ask(server, "/ready")]).toEqual([WELL, unready]);
  await waitUntil(() => server.stderr().includes("does not answer within"), "the log says so");
  signalDatabase(dataDir, "SIGCONT");
  await waitUntil(async () => (await ask(server, "/ready")).status === 200, "it is ready again");
  await waitUntil(() => server.stderr().includes("Well again: The database answers."), "the log says so");
  expect(await server.stop()).toMatchObject({ code: 0 });
});

test.runIf(isRoot)(
  "a full disk is said to people and programs, and room ends it without a restart",
  async () => {
    const disk = smallDisk();
    const dataDir = path.join(disk, "data");
    execFileSync("cp", ["-a", await usedDirectory("demo"), dataDir]);
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development", PARLEY_RATE_LIMITS: "off" };
    const server = await start(["serve"], { env });
    const key = await signIn(server);
    const send = () =>
      api(
        server,
        "POST",
        "/messages",
        { type: "channel", to: "general", topic: "x", content: "y".repeat(9000) },
        key,
      );
    expect((await send()).status).toBe(200);
    const filler = path.join(disk, "rest");
    fill(filler);
    const refused = async () => {
      const { status, body } = await send();
      return status === 503 && body.code === "DISK_FULL" ? body.msg : undefined;
    };
    await waitUntil(async () => (await refused()) !== undefined, "sends are refused");
    expect(await refused()).toContain("The server's disk is full");
    await waitUntil(async () => (await ask(server, "/ready")).status === 503, "it is not ready");
    expect(await ask(server, "/ready")).toEqual({
      status: 503,
      body: { status: "unavailable", reason: "disk" },
    });
    expect(await ask(server, "/health")).toEqual(WELL);
    await waitUntil(() => server.stderr().includes("The disk is full: "), "the log says so");
    expect(
      server
        .stderr()
        .split("\n")
        .filter((line) => line.includes("could not extend file")),
    ).toEqual([]);
    execFileSync("rm", [filler]);
    await waitUntil(async () => (await send()).status === 200, "sends succeed");
    await waitUntil(async () => (await ask(server, "/ready")).status === 200, "it is ready again");
    expect(await server.stop()).toMatchObject({ code: 0 });
  },
);

test.runIf(isRoot)(
  "a database that ends while the disk is full starts in the room that was kept for it",
  async () => {
    const disk = smallDisk();
    const dataDir = path.join(disk, "data");
    execFileSync("cp", ["-a", await usedDirectory("demo"), dataDir]);
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development" };
    const server = await start(["serve"], { env });
    const key = await signIn(server);
    await new DiskReserve(dataDir).fill();
    fill(path.join(disk, "rest"));
    signalDatabase(dataDir, "SIGKILL");
    await server.prints(/The disk of \S+ is full\. PostgreSQL starts in the room that was kept for this\./);
    await waitUntil(
      async () => (await api(server, "GET", "/users/me", {}, key)).status === 200,
      "it is back",
    );
    expect(readdirSync(dataDir)).not.toContain("disk-reserve");
    expect(await server.stop()).toMatchObject({ code: 0 });
  },
);

/** A file system of its own, which only root can make. */
function smallDisk(): string {
  const disk = temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1500m", "tmpfs", disk]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
  return disk;
}

/** Takes all room there is. */
function fill(file: string): void {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${file}`, "bs=64k", "status=none"], { stdio: "ignore" });
  } catch {
    // It ends when the disk is full.
  }
}

test("a bucket that is away keeps no server from starting, and files work when it is back", async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.close());
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_ENV: "development", ...s3.variables };
  expect(await parley(["files", "adopt", "--empty"], env)).toMatchObject({ code: 0 });
  s3.intercept = (_request, response) => answerError(response, 503, "SlowDown");
  const server = await start(["serve"], { env });
  expect(server.stderr()).toContain("it answers 503 (SlowDown). The server starts without it");
  expect(server.stderr()).not.toContain("NodeVersionSupportWarning");
  expect(await ask(server, "/ready")).toEqual(WELL);
  const [email, key] = (await signIn(server)).split(":");
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const upload = async () => {
    const body = new FormData();
    body.append("file", new Blob(["text"]), "a.txt");
    const response = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: "POST",
      headers: { authorization },
      body,
    });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  expect(await upload()).toEqual([503, "FILES_AWAY"]);
  s3.intercept = undefined;
  expect(await upload()).toEqual([200, undefined]);
  expect(await server.stop()).toMatchObject({ code: 0 });
});
