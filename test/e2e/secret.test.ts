// A database belongs to one secret. A server or a command with another one says so, and writes nothing.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createEmptyDatabase } from "../harness/postgres.ts";
import {
  api,
  build,
  call,
  freePort,
  parley,
  run,
  start,
  temporaryDirectory,
  usedDirectory,
} from "./parley.ts";

beforeAll(build);

const missing =
  /^The secret in \S+\/secret is missing, but this database was made with one\. Restore it from your backup\./;
const other = /^The secret in \S+ is not the one that this database was made with\./;

/** A server's directory with an organization, whose owner is ada. */
async function directory(): Promise<{ PARLEY_DATA_DIR: string }> {
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve") };
  const made = await parley(
    ["organization", "create", "Acme", "--owner-email", "ada@acme.test", "--owner-name", "Ada"],
    {
      ...env,
      PARLEY_OWNER_PASSWORD: "knight-takes-rook",
    },
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return env;
}

const keyOf = async (env: Record<string, string>) =>
  (await parley(["api-key", "ada@acme.test"], env)).stdout.trim().split(/\s+/).at(-1) as string;

test("a secret that others can read, as after a restore without modes, is closed to them by a start", async () => {
  const env = await directory();
  const file = path.join(env.PARLEY_DATA_DIR, "secret");
  chmodSync(file, 0o644);
  const doctor = await call(["doctor"], { env });
  expect(doctor).toMatchObject({ code: 0 });
  expect(doctor.stdout).toContain(`! Other users of this machine can read ${file}.`);
  const server = await start(["serve"], { env });
  expect(server.stderr()).toContain(`Other users could read ${file}. It is closed to them now.`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await server.stop();
});

test("PARLEY_SECRET beside the right file is said to be in its way", async () => {
  const env = await directory();
  const wrong = { ...env, PARLEY_SECRET: "another secret, long enough" };
  const way = `That one is in ${path.join(env.PARLEY_DATA_DIR, "secret")}: unset PARLEY_SECRET`;
  for (const words of [["serve"], ["organization", "list"]]) {
    const refused = await call(words, { env: wrong });
    expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining(way) });
  }
  expect((await call(["organization", "list"], { env })).code).toBe(0);
});

describe("without its file", () => {
  test("neither the server nor a command starts, and no file is made; with it all keys work", async () => {
    const env = await directory();
    const key = await keyOf(env);
    const file = path.join(env.PARLEY_DATA_DIR, "secret");
    renameSync(file, `${file}.away`);
    for (const words of [
      ["serve"],
      ["serve", "--workers", "2"],
      ["user", "create", "dev@acme.test", "Dev"],
    ]) {
      const refused = await call(words, { env });
      expect(refused).toMatchObject({ code: 78, stdout: "" });
      expect(refused.stderr).toMatch(missing);
      expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    }
    expect((await call(["doctor"], { env })).stdout).toMatch(/^✗ The secret in \S+ is missing/m);
    expect(existsSync(file)).toBe(false);
    renameSync(`${file}.away`, file);
    const server = await start(["serve"], { env });
    const own = await api(server, "GET", "/users/me", {}, `ada@acme.test:${key}`);
    expect(own.status).toBe(200);
    const users = await api(server, "GET", "/users", {}, `ada@acme.test:${key}`);
    expect(JSON.stringify(users.body)).not.toContain("dev@acme.test");
  });

  test("a database of an older release is recognized by its keys", async () => {
    const env = await directory();
    const file = path.join(env.PARLEY_DATA_DIR, "secret");
    const secret = readFileSync(file, "utf8");
    const server = await start(["serve"], { env });
    await forgetCheck(env.PARLEY_DATA_DIR);
    await server.stop();
    rmSync(file);
    expect((await call(["serve"], { env })).stderr).toMatch(missing);
    writeFileSync(file, "another secret, long enough");
    expect((await call(["serve"], { env })).stderr).toMatch(other);
    writeFileSync(file, secret);
    await (await start(["serve"], { env })).stop();
    writeFileSync(file, "another secret, long enough");
    expect((await call(["serve"], { env })).stderr).toMatch(other);
  });
});

function urlOf(connection: { host: string; port: number; user: string; database: string }): string {
  const { host, port, user, database } = connection;
  return `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`;
}

async function forgetCheck(dataDir: string): Promise<void> {
  const { findRunning } = await import("../../cli/installation/installation.ts");
  const { default: pg } = await import("pg");
  const client = new pg.Client(await findRunning(dataDir));
  await client.connect();
  await client.query("delete from secret_check");
  await client.end();
}

test("a second node with another secret is refused", async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const env = {
    PARLEY_DATA_DIR: temporaryDirectory(),
    DATABASE_URL: urlOf(database.connection),
    PARLEY_SECRET: "a long enough secret",
  };
  const first = await start(["serve"], { env });
  const second = await call(["serve"], { env: { ...env, PARLEY_SECRET: "another long enough secret" } });
  expect(second.code).toBe(78);
  expect(second.stderr).toMatch(other);
  expect(second.stderr).toContain("All servers on one database need the same secret.");
  const third = await start(["serve"], { env });
  await third.stop();
  await first.stop();
});

test("a server in production mode refuses a directory of development mode, whose commands find it", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const refused = await call(["serve"], { env });
  expect(refused.stderr).toMatch(/made in development mode.* Start it with PARLEY_ENV=development/);
  expect(existsSync(path.join(env.PARLEY_DATA_DIR, "secret"))).toBe(false);
  expect(await parley(["api-key", "ada@demo.test"], env)).toMatchObject({ code: 0, stderr: "" });
});

describe("secret reset", () => {
  test("changes nothing without --yes, and nothing beside a server", async () => {
    const env = await directory();
    const key = await keyOf(env);
    const asked = await parley(["secret", "reset"], env);
    expect(asked.code).toBe(1);
    expect(asked.stdout).toMatch(/^Nothing was changed\. This would do:\n/);
    const server = await start(["serve"], { env });
    const beside = await parley(["secret", "reset", "--yes"], env);
    expect(beside).toMatchObject({ code: 75, stdout: "" });
    expect(beside.stderr).toContain("Stop it first.");
    expect((await api(server, "GET", "/users/me", {}, `ada@acme.test:${key}`)).status).toBe(200);
  });

  test("gives everybody another key, and passwords stay", async () => {
    const env = await directory();
    const key = await keyOf(env);
    rmSync(path.join(env.PARLEY_DATA_DIR, "secret"));
    const reset = await parley(["secret", "reset", "--yes"], env);
    expect(reset).toMatchObject({ code: 0, stderr: "" });
    expect(reset.stdout).toMatch(/^[1-9]\d* API keys replaced$/m);
    const server = await start(["serve"], { env: { ...env, PARLEY_PORT: String(await freePort()) } });
    expect((await api(server, "GET", "/users/me", {}, `ada@acme.test:${key}`)).status).toBe(401);
    const signedIn = await api(server, "POST", "/fetch_api_key", {
      username: "ada@acme.test",
      password: "knight-takes-rook",
    });
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.api_key).toBe(await keyOf(env));
    const audited = (await parley(["audit-log"], env)).stdout.trim().split("\n");
    const line = /^\S+ {2}command line {2}secret_reset {2}organization$/;
    expect(audited.filter((one) => line.test(one))).toHaveLength(1);
    expect((await parley(["doctor"], env)).stdout).toMatch(
      /^✓ The secret in \S+ is the one of the database/m,
    );
  });
});

describe("secret rotate", () => {
  const yes = ["secret", "rotate", "--yes"];
  const fileOf = (env: { PARLEY_DATA_DIR: string }, name = "secret") => path.join(env.PARLEY_DATA_DIR, name);
  const statusOf = async (server: { url: string }, key: string) =>
    (await api(server, "GET", "/users/me", {}, `ada@acme.test:${key}`)).status;

  /** The status of a call by this cookie, or by one that a sign-in gets. */
  async function bySession(server: { url: string }, cookie?: string) {
    const headers = {
      origin: server.url,
      "x-parley-client": "website",
      ...(cookie !== undefined && { cookie }),
    };
    const login = new URLSearchParams({ username: "ada@acme.test", password: "knight-takes-rook" });
    if (cookie === undefined) {
      const answer = await fetch(`${server.url}/api/v1/session`, { method: "POST", body: login, headers });
      expect(answer.status).toBe(200);
      return `${answer.headers.get("set-cookie")}`.split(";")[0] as string;
    }
    return (await fetch(`${server.url}/api/v1/users/me`, { headers })).status;
  }

  test("changes nothing without --yes, beside a server, or with a file that is not asked for", async () => {
    const env = await directory();
    const key = await keyOf(env);
    const secret = readFileSync(fileOf(env), "utf8");
    const asked = await parley(["secret", "rotate"], env);
    expect([asked.code, asked.stdout.split("\n")[0]]).toEqual([1, "Nothing was changed. This would do:"]);
    const given = await parley([...yes, "--new-secret-file", fileOf(env)], env);
    expect([given.code, given.stderr]).toEqual([2, expect.stringContaining("leave out --new-secret-file")]);
    const server = await start(["serve"], { env });
    expect(await parley(yes, env)).toMatchObject({ code: 75, stdout: "" });
    expect(await statusOf(server, key)).toBe(200);
    await server.stop();
    expect(readFileSync(fileOf(env), "utf8")).toBe(secret);
    expect(existsSync(fileOf(env, "secret.new"))).toBe(false);
  });

  test("keeps API keys and passwords, ends sessions, and leaves one file", async () => {
    const env = await directory();
    const key = await keyOf(env);
    const secret = readFileSync(fileOf(env), "utf8");
    const first = await start(["serve"], { env });
    const cookie = (await bySession(first)) as string;
    expect(await bySession(first, cookie)).toBe(200);
    await first.stop();
    const target = path.join(temporaryDirectory(), "backups");
    expect((await parley(["backup", target], env)).code).toBe(0);

    const rotated = await parley(yes, env);
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(rotated.stdout).toMatch(/^[1-9]\d* API keys kept$/m);
    expect(rotated.stdout).toMatch(/^1 sessions ended$/m);
    expect(rotated.stdout).toMatch(
      /Start the server\. Make a backup: those of before have the old secret\.\n$/,
    );
    expect(readFileSync(fileOf(env), "utf8")).not.toBe(secret);
    expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600);
    expect(existsSync(fileOf(env, "secret.new"))).toBe(false);

    const second = await start(["serve"], { env });
    expect(await statusOf(second, key)).toBe(200);
    expect(await bySession(second, cookie)).toBe(401);
    expect(await bySession(second, (await bySession(second)) as string)).toBe(200);
    await second.stop();
    expect(await keyOf(env)).toBe(key);
    const audited = (await parley(["audit-log"], env)).stdout;
    expect(audited).toMatch(/^\S+ {2}command line {2}secret_rotated {2}organization$/m);

    // A backup of before has the secret that fits it.
    const old = { PARLEY_DATA_DIR: path.join(temporaryDirectory(), "restored") };
    expect((await parley(["restore", target, "--data-dir", old.PARLEY_DATA_DIR], {})).code).toBe(0);
    expect(readFileSync(fileOf(old), "utf8")).toBe(secret);
    expect(await keyOf(old)).toBe(key);

    const json = await parley([...yes, "--json"], env);
    expect(JSON.parse(json.stdout)).toEqual({ rotated: expect.objectContaining({ "sessions ended": 1 }) });
  });

  test("is done or not done, wherever its process dies", async () => {
    const env = await directory();
    const key = await keyOf(env);
    const [file, prepared] = [fileOf(env), fileOf(env, "secret.new")];

    // It dies as soon as the new secret is on the disk.
    const dying = run(yes, { env });
    while (!existsSync(prepared)) await sleep(1);
    dying.child.kill("SIGKILL");
    await dying.end;
    expect(await keyOf(env)).toBe(key);

    // Before its commit, surely: the file is of no use.
    const secret = readFileSync(file, "utf8");
    writeFileSync(prepared, "a secret that nothing is under", { mode: 0o600 });
    const server = await start(["serve"], { env });
    expect(await statusOf(server, key)).toBe(200);
    await server.stop();
    expect(readFileSync(file, "utf8")).toBe(secret);

    // The next one replaces it.
    expect((await parley(yes, env)).code).toBe(0);
    const next = readFileSync(file, "utf8");
    expect([secret, "a secret that nothing is under"]).not.toContain(next);
    expect(existsSync(prepared)).toBe(false);

    // After its commit: a command and a server put the file where it belongs.
    const ending = async (use: () => Promise<void>) => {
      renameSync(file, prepared);
      writeFileSync(file, secret, { mode: 0o600 });
      await use();
      expect([readFileSync(file, "utf8"), existsSync(prepared)]).toEqual([next, false]);
    };
    await ending(async () => expect(await keyOf(env)).toBe(key));
    await ending(async () => {
      const again = await start(["serve"], { env });
      expect(await statusOf(again, key)).toBe(200);
      await again.stop();
    });
    await ending(async () => {
      expect((await parley(["doctor"], env)).stdout).toMatch(
        /^✓ The secret in \S+ is the one of the database/m,
      );
    });
  });

  test("takes the one for PARLEY_SECRET from a file, while no server uses the database", async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const [old, next] = ["a long enough secret", "another long enough secret"];
    const env = {
      PARLEY_DATA_DIR: temporaryDirectory(),
      DATABASE_URL: urlOf(database.connection),
      PARLEY_SECRET: old,
    };
    const owner = ["--owner-email", "ada@acme.test", "--owner-name", "Ada"];
    const password = { PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
    expect((await parley(["organization", "create", "Acme", ...owner], { ...env, ...password })).code).toBe(
      0,
    );
    const key = await keyOf(env);
    const file = path.join(temporaryDirectory(), "next");
    const rotate = (text: string) => {
      writeFileSync(file, text);
      return parley([...yes, "--new-secret-file", file], env);
    };

    expect(await parley(yes, env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("name the new one"),
    });
    expect(await rotate("short")).toMatchObject({ code: 78, stderr: expect.stringContaining("(P106)") });
    expect(await rotate(old)).toMatchObject({ stderr: expect.stringContaining("(P507)") });
    const missing = await parley([...yes, "--new-secret-file", `${file}.none`], env);
    expect(missing.stderr).toContain("(P513)");
    const server = await start(["serve"], { env });
    expect(await rotate(next)).toMatchObject({ code: 75, stderr: expect.stringContaining("(P206)") });
    await server.stop();
    const wrong = await parley([...yes, "--new-secret-file", file], { ...env, PARLEY_SECRET: next });
    expect(wrong).toMatchObject({ code: 78, stderr: expect.stringContaining("(P108)") });

    const rotated = await rotate(`${next}\n`);
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(rotated.stdout).toContain("Set PARLEY_SECRET to it for all servers before they start.");
    expect(rotated.stdout).not.toContain(next);
    expect((await call(["serve"], { env })).stderr).toMatch(other);
    const started = await start(["serve"], { env: { ...env, PARLEY_SECRET: next } });
    expect(await statusOf(started, key)).toBe(200);
    await started.stop();
  });

  test("refuses development mode, whose secret is a constant", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
    const refused = await parley(yes, env);
    expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining("(P227)") });
    expect(existsSync(fileOf(env, "secret.new"))).toBe(false);
  });
});
