import { closeSync, openSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { build, freePort, parley, run, usedDirectory, waitUntil } from "./parley.ts";

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

test("what the disk did not take is a failure of each command that prints", async () => {
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
