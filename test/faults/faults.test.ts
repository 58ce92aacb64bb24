import { beforeAll, expect, test } from "vitest";
import { build, temporaryDirectory, usedDirectory } from "../e2e/parley.ts";
import { startOne, startSeveral } from "./cluster.ts";
import { type Plan, run } from "./run.ts";

beforeAll(build);

const seed = 20_251_121;
// Restarts take many times as long on a machine that is busy with other tests.
const timeout = 180_000;
const before: Plan["before"] = [100, 400];

test("one server loses nothing that it acknowledged, whichever process is killed, and its queues go on", {
  timeout,
}, async () => {
  const cluster = await startOne(await usedDirectory("demo"));
  try {
    const kinds = [
      "SIGKILL of a server",
      "SIGKILL of a database session",
      "SIGTERM of a server",
      "SIGKILL of the postmaster",
    ];
    const report = await run({ cluster, seed, before, next: (round) => kinds[round] });
    console.log(String(report));
    expect([...report.silentMs.keys()]).toEqual(kinds);
    expect(report.sends.acknowledged).toBeGreaterThan(100);
  } finally {
    await cluster.stop();
  }
});

test("of two servers one may be killed and all be restarted: queues and sends go on at the others", {
  timeout,
}, async () => {
  const cluster = await startSeveral(2, await usedDirectory("demo"), temporaryDirectory);
  try {
    const kinds = ["SIGKILL of a server", "restart of all servers, one after another"];
    const report = await run({ cluster, seed, before, next: (round) => kinds[round] });
    console.log(String(report));
    expect([...report.silentMs.keys()]).toEqual(kinds);
    expect(report.sends.acknowledged).toBeGreaterThan(100);
  } finally {
    await cluster.stop();
  }
});
