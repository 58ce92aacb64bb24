import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { makeCheckout } from "../../../test/harness/checkout.ts";
import { findLockHolder, lockDataDirectory } from "./lock.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

/** Takes the lock repeatedly, and reports if another process held it at the same time. */
const contend = `
import fs from "node:fs";
import { lockDataDirectory } from "./dist/server/platform/postgres/lock.js";
const [dir, rounds] = process.argv.slice(2);
let held = 0;
while (held < Number(rounds)) {
  const lock = await lockDataDirectory(dir, { isServer: true }).catch((error) => {
    if (error.name !== "StartError") throw error;
  });
  if (!lock) continue;
  fs.closeSync(fs.openSync(dir + "/alone", "wx"));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  fs.rmSync(dir + "/alone");
  await lock.release();
  held++;
}
console.log("done");
`;

const hold = `
import { lockDataDirectory } from "./dist/server/platform/postgres/lock.js";
await lockDataDirectory(process.argv[2], { isServer: process.argv[3] !== "command" });
console.log("held");
setInterval(() => {}, 1000);
`;

let checkout: string;
let dir: string;
let children: ChildProcess[];
const server = { isServer: true };
const command = { isServer: false };

beforeAll(() => {
  checkout = makeTemporaryDirectory("parley-lock-");
  makeCheckout(checkout);
  writeFileSync(path.join(checkout, "contend.js"), contend);
  writeFileSync(path.join(checkout, "hold.js"), hold);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

beforeEach(() => {
  dir = makeTemporaryDirectory("parley-lock-");
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

test("a data directory is locked until the lock is released", async () => {
  const lock = await lockDataDirectory(dir, server);
  expect(await findLockHolder(dir)).toBe(process.pid);
  await expect(lockDataDirectory(dir, server)).rejects.toThrow(
    `Another Parley server (process ${process.pid}) is already using the data directory ${dir}. Stop it, or choose another directory with PARLEY_DATA_DIR.`,
  );
  await lock.release();
  expect(await findLockHolder(dir)).toBeUndefined();
  await (await lockDataDirectory(dir, server)).release();
});

test("a server waits for a command that has the directory, and another command does not", async () => {
  const held = await lockDataDirectory(dir, command);
  const sentence = `A command of Parley (process ${process.pid}) is using the data directory ${dir}. Wait until it has ended, then try again.`;
  await expect(lockDataDirectory(dir, command)).rejects.toThrow(sentence);
  const said: string[] = [];
  const waiting = lockDataDirectory(dir, { isServer: true, onWait: (text) => void said.push(text) });
  await expect
    .poll(() => said)
    .toEqual([`waiting for a command (process ${process.pid}) that uses the data directory`]);
  await held.release();
  const lock = await waiting;
  expect(said).toHaveLength(1);
  await expect(lockDataDirectory(dir, command)).rejects.toThrow("Another Parley server");
  await lock.release();
});

test("a server does not wait for ever", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const held = await lockDataDirectory(dir, command);
  const onWait = () => void vi.setSystemTime(Date.now() + 61_000);
  try {
    await expect(lockDataDirectory(dir, { isServer: true, onWait })).rejects.toThrow("A command of Parley");
  } finally {
    vi.useRealTimers();
    await held.release();
  }
});

test("the end of its holder releases the lock, even by kill -9", async () => {
  const child = start("hold.js");
  await firstLine(child);
  await expect(lockDataDirectory(dir, server)).rejects.toThrow(`(process ${child.pid})`);
  child.kill("SIGKILL");
  await once(child, "exit");
  await (await lockDataDirectory(dir, server)).release();
});

test("a holder that is too busy to answer keeps the lock", async () => {
  const child = start("hold.js");
  await firstLine(child);
  child.kill("SIGSTOP");
  await expect(lockDataDirectory(dir, server)).rejects.toThrow(`(process ${child.pid})`);
});

test("of many processes only one at a time gets the lock", async () => {
  const contenders = Array.from({ length: 6 }, () => start("contend.js", "25"));
  const ends = await Promise.all(contenders.map(firstLine));
  expect(ends).toEqual(contenders.map(() => "done"));
  // Only the last of all links is left, and no socket.
  expect(readdirSync(path.join(dir, "lock"))).toHaveLength(1);
});

test("a link below the highest number is ignored and removed", async () => {
  const first = await lockDataDirectory(dir, server);
  await first.release();
  const second = await lockDataDirectory(dir, server);
  // As if a process had looked before the first lock was taken, and was slow to create its link.
  symlinkSync("late", path.join(dir, "lock", "1"));
  await expect(lockDataDirectory(dir, server)).rejects.toThrow("Another Parley server");
  await second.release();
  const third = await lockDataDirectory(dir, server);
  expect(existsSync(path.join(dir, "lock", "1"))).toBe(false);
  await third.release();
});

function start(script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join(checkout, script), dir, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output");
  const reader = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(reader, "line").then(([text]) => text),
    once(reader, "close").then(() => "ended"),
  ]);
  return line;
}
