import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, call, freePort, people, start, temporaryDirectory, usedDirectory } from "./parley.ts";

beforeAll(build);

test("doctor finds nothing wrong, whether a server is running or not", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_PORT: String(await freePort()) };
  const resting = await call(["doctor"], { env });
  expect(resting).toMatchObject({ code: 0, stderr: "" });
  expect(resting.stdout).toMatch(/^✓ No server is running; the database starts and answers/m);
  expect(resting.stdout).toMatch(/^✓ The secret of development mode is the one of the database\.$/m);
  expect(resting.stdout).toMatch(/^✓ Port \d+ on 127\.0\.0\.1 is free\.$/m);
  const server = await start(["demo"], { env });
  const running = await call(["doctor"], { env });
  expect(running).toMatchObject({ code: 0, stderr: "" });
  expect(running.stdout).toMatch(/^✓ A server is running on the data directory; its database answers\.$/m);
  expect(running.stdout).toMatch(/^✓ A server answers at http:/m);
  expect(running.stdout).not.toContain("✗");
  await server.stop();
});

test("doctor names each problem with its remedy, and exits with 1", async () => {
  const [, person] = people.at(-1) as (typeof people)[number];
  const dataDir = path.join(temporaryDirectory(person), "data");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o555);
  const closed = await call(["doctor"], { env: { PARLEY_DATA_DIR: dataDir }, person });
  expect(closed.code).toBe(1);
  expect(closed.stdout).toMatch(
    /^✗ The data directory \S+ can't be written by this user \(id \d+\)\. \(P201\)\n {2}→ Run this command as its owner/m,
  );

  const used = await usedDirectory("demo");
  const wrongSecret = await call(["doctor"], {
    env: {
      PARLEY_DATA_DIR: used,
      PARLEY_SECRET: "another long enough secret",
    },
  });
  expect(wrongSecret.code).toBe(1);
  expect(wrongSecret.stdout).toMatch(
    /^✗ The database was made in development mode, whose secret is a constant\. .*\n {2}→ /m,
  );

  const noDatabase = await call(["doctor"], {
    env: {
      DATABASE_URL: "postgres://x:secret-word@127.0.0.1:1/parley",
    },
  });
  expect(noDatabase.stdout).toMatch(
    /^✗ The database at 127\.0\.0\.1:1\/parley in DATABASE_URL can't be reached/m,
  );
  expect(noDatabase.stdout).toMatch(/^✗ DATABASE_URL is set, but PARLEY_SECRET is not\./m);
  expect(noDatabase.stdout).not.toContain("secret-word");
});

test("doctor tells programs the level, the fault and the sentence of each finding", async () => {
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("demo"),
    PARLEY_PUBLIC_URL: "https://chat.example.com",
    PARLEY_ENV: "development",
    PARLEY_PRT: "9100",
    TMPDIR: "/nonexistent",
  };
  const { code, stdout, stderr } = await call(["doctor", "--json"], { env });
  expect([code, stderr]).toEqual([1, ""]);
  const findings = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(findings[0]).toEqual({
    level: "ok",
    fault: null,
    sentence: expect.stringMatching(/^Node\.js \d/),
    advice: null,
  });
  expect(findings.find(({ fault }) => fault === "P116")).toMatchObject({
    level: "failure",
    sentence: expect.stringMatching(/^PARLEY_PRT is no setting, perhaps PARLEY_PORT is meant\..*\.$/),
  });
  expect(findings.find(({ fault }) => fault === "P627")).toMatchObject({
    level: "failure",
    advice: expect.stringContaining("Set TMPDIR"),
  });
  expect(findings.find(({ fault }) => fault === "P617")).toMatchObject({ level: "warning" });
  expect(await call(["doctor", "--json", "--mail", "ada@example.com"], { env })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^\{"level":"ok".*\n\{"level":"failure","fault":"P\d{3}","sentence":"No mail/,
    ),
  });
});

test("doctor goes on where there is no directory for temporary files, and says so", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), TMPDIR: "/nonexistent" };
  const { code, stdout } = await call(["doctor"], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^✗ There is no directory for temporary files: \/nonexistent can't be written \(ENOENT\)\. \(P627\)\n {2}→ Set TMPDIR/m,
  );
  expect(stdout).toMatch(/^✓ Files lie in/m);
});

test("doctor names a server that hangs, and does not take it for another program", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_PORT: String(await freePort()) };
  const server = await start(["serve"], { env });
  server.child.kill("SIGSTOP");
  const { code, stdout } = await call(["doctor"], { env });
  server.child.kill("SIGCONT");
  expect(code).toBe(1);
  expect(stdout).toContain(
    `✗ The server on the data directory (process ${server.child.pid}) does not answer at http://127.0.0.1:${server.port}.`,
  );
  expect(await server.stop()).toMatchObject({ code: 0 });
});

test("doctor warns of a public address with https and no proxy named, and exits with 0", async () => {
  const { code, stdout } = await call(["doctor"], {
    env: {
      PARLEY_DATA_DIR: await usedDirectory("demo"),
      PARLEY_ENV: "development",
      PARLEY_PUBLIC_URL: "https://chat.example.com",
    },
  });
  expect(stdout).toMatch(
    /^! PARLEY_PUBLIC_URL is https, but no proxy is named.*\n {2}→ Set PARLEY_TRUSTED_PROXIES/m,
  );
  expect(stdout).not.toContain("✗");
  expect(code).toBe(0);
});
