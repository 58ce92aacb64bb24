import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  build,
  freePort,
  parley,
  run,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

const dev = "dev@demo.test";
const commands = [
  ["--version"],
  ["--help"],
  ["user", "--help"],
  ["user", "list"],
  ["user", "list", "--json"],
  ["user", "role", dev, "moderator"],
  ["user", "unlock", dev],
  ["user", "identities", dev],
  ["organization", "list"],
  ["api-key", dev],
  ["invite", "new@demo.test"],
  ["audit-log"],
  ["config"],
  ["doctor"],
];

// Each command is a process.
test("what the disk did not take is a failure of each command that prints", {
  timeout: 300_000,
}, async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  for (const words of commands) {
    const program = run(words, { env, outputs: { stdout: full } });
    program.child.stdin?.end();
    const { code } = await program.end;
    expect([words, code, program.stderr()]).toEqual([
      words,
      74,
      "Standard output can't be written: the disk is full. Not everything was printed. (P520)\n",
    ]);
  }
});

test("so it is for commands that write files or call a server, and `tail` ends by itself", async () => {
  const dir = temporaryDirectory();
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const env = { PARLEY_DATA_DIR: dataDir, PARLEY_PORT: server.port };
  const host = ["--host", "localhost"];
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  for (const words of [
    ["export", ...host, "--json", path.join(dir, "public.tar.gz")],
    ["export", ...host, "--json", "--everything", path.join(dir, "whole.tar.gz")],
    ["backup", path.join(dir, "backups")],
    ["backup", "list", path.join(dir, "backups")],
    ["send", "--as", dev, "general", "welcome", "Hello"],
    ["tail", "--as", dev],
  ]) {
    const program = run(words, { env, outputs: { stdout: full } });
    program.child.stdin?.end();
    const { code } = await program.end;
    expect([words, code, program.stderr().split("\n").at(-2)]).toEqual([
      words,
      74,
      "Standard output can't be written: the disk is full. Not everything was printed. (P520)",
    ]);
  }
  await server.stop();
});

test("a command that prints nothing there loses nothing to a full disk", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const program = run(["api-key", "nobody@demo.test"], { env, outputs: { stdout: full } });
  program.child.stdin?.end();
  expect([(await program.end).code, program.stderr()]).toEqual([1, expect.stringMatching(/^.*\(P502\)\n$/)]);
});

test("a reader that leaves early is no failure", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  for (const words of commands.slice(0, 5)) {
    const program = run(words, { env });
    program.child.stdin?.end();
    program.child.stdout?.destroy();
    expect([words, (await program.end).code, program.stderr()]).toEqual([words, 0, ""]);
  }
  expect((await parley(["audit-log"], env)).stdout).not.toBe("");
});

test("a server goes on when the reader of its first lines leaves", async () => {
  const port = String(await freePort());
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_PORT: port };
  const program = run(["serve"], { env });
  program.child.stdout?.destroy();
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(isUp, "the server answers");
  program.child.kill("SIGTERM");
  expect(await program.end).toEqual({ code: 0, signal: null });
});
