import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findProcesses } from "../harness/checkout.ts";
import { api, build, call, isRoot, people, type Server, start, temporaryDirectory } from "./parley.ts";

beforeAll(build);

const [, person] = people.at(-1) as (typeof people)[number];
const OWNER = { uid: 65_534, gid: 65_534 };
const create = ["organization", "create", "Chess Club", "--owner-name", "Grace Hill"];
const password = "knight-takes-rook";

/** The ids of the user and the group as which a process runs, the effective ones. */
function idsOf(pid: number): number[] {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return ["Uid", "Gid"].map((name) =>
    Number(new RegExp(`^${name}:\\s+\\d+\\s+(\\d+)`, "m").exec(status)?.[1]),
  );
}

function installation(dataDir: string): { env: Record<string, string> } {
  return { env: { PARLEY_DATA_DIR: dataDir, PARLEY_OWNER_PASSWORD: password } };
}

async function upload(server: Server): Promise<{ status: number }> {
  const { body } = await api(server, "POST", "/fetch_api_key", { username: "grace@chess.test", password });
  const form = new FormData();
  form.append("file", new Blob(["Pawns first."]), "opening.txt");
  return fetch(`${server.url}/api/v1/user_uploads`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`grace@chess.test:${body.api_key}`).toString("base64")}` },
    body: form,
  });
}

describe.runIf(isRoot)("root in the data directory of a service's user", () => {
  test("makes an installation that the service's user goes on with", async () => {
    const dataDir = temporaryDirectory(person);
    const { env } = installation(dataDir);
    const made = await call([...create, "--owner-email", "grace@chess.test"], { env });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["lock", "files", "secret", "postgres"]) {
      expect([name, statSync(path.join(dataDir, name)).uid]).toEqual([name, OWNER.uid]);
    }
    const server = await start(["serve"], { env, person });
    await server.stop();
  });

  test("starts a server that runs as that user, whose files can be written by it later", async () => {
    const dataDir = temporaryDirectory(person);
    const { env } = installation(dataDir);
    await call([...create, "--owner-email", "grace@chess.test"], { env, person });
    const server = await start(["serve"], { env });
    const pids = findProcesses(dataDir).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of [...pids, server.child.pid as number]) {
      expect(idsOf(pid)).toEqual([OWNER.uid, OWNER.gid]);
    }
    expect((await upload(server)).status).toBe(200);
    await server.stop();
    const again = await start(["serve"], { env, person });
    expect((await upload(again)).status).toBe(200);
    await again.stop();
  });

  test("stays not root where that user has made a link to a file of root's", async () => {
    const dataDir = temporaryDirectory(person);
    const { env } = installation(dataDir);
    await call([...create, "--owner-email", "grace@chess.test"], { env, person });
    const outer = temporaryDirectory();
    chmodSync(outer, 0o755);
    const [secret, file] = [path.join(dataDir, "secret"), path.join(outer, "secret")];
    writeFileSync(file, readFileSync(secret), { mode: 0o644 });
    rmSync(secret);
    symlinkSync(file, secret);
    const server = await start(["serve"], { env });
    expect(idsOf(server.child.pid as number)).toEqual([OWNER.uid, OWNER.gid]);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    await server.stop();
  });

  test("deletes nothing to which that user has made a link", async () => {
    const dataDir = temporaryDirectory(person);
    const { env } = installation(dataDir);
    await call([...create, "--owner-email", "grace@chess.test"], { env, person });
    const outer = temporaryDirectory();
    const file = path.join(outer, "of-root");
    writeFileSync(file, "precious");
    utimesSync(file, 0, 0);
    const unfinished = path.join(dataDir, "files", ".temporary");
    rmSync(unfinished, { recursive: true });
    symlinkSync(outer, unfinished);
    expect(await call(["mail", "queue"], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  test("learns what to do where that user can't reach the data", async () => {
    const outer = temporaryDirectory();
    chmodSync(outer, 0o700);
    const dataDir = path.join(outer, "data");
    mkdirSync(dataDir);
    chownSync(dataDir, OWNER.uid, OWNER.gid);
    const { env } = installation(dataDir);
    const made = await call([...create, "--owner-email", "grace@chess.test"], { env });
    expect(made.stderr).toContain(
      `belongs to user nobody, as whom Parley has to run there, but that user can't enter ${outer}.`,
    );
    expect(statSync(dataDir).uid).toBe(OWNER.uid);
  });
});

test.runIf(isRoot)(
  "a port that the directory's user may not have is said to be that user's lack",
  async () => {
    const dataDir = temporaryDirectory(person);
    const { env } = installation(dataDir);
    await call([...create, "--owner-email", "grace@chess.test"], { env, person });
    const refused = await call(["serve"], { env: { ...env, PARLEY_PORT: "81" } });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/^Port 81 needs a right that user nobody does not have/m);
  },
);
