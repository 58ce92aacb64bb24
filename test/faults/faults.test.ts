import { beforeAll, expect, test } from "vitest";
import { build, temporaryDirectory, usedDirectory } from "../e2e/parley.ts";
import { startOne, startSeveral } from "./cluster.ts";
import { faults, faultsOfSeveral } from "./faults.ts";
import { type Plan, runPlan } from "./run.ts";

beforeAll(build);

const seed = 20_251_121;
// Restarts take many times as long on a machine that is busy with other tests.
const timeout = 180_000;
const before: Plan["before"] = [50, 300];

test("one server loses nothing that it acknowledged, whichever process is killed, and its queues go on", {
  timeout,
}, async () => {
  const cluster = await startOne(await usedDirectory("demo"));
  try {
    const kinds = Object.keys(faults);
    const report = await runPlan({ cluster, seed, before, next: (round) => kinds[round] });
    console.log(String(report));
    expect([...report.recoveries.keys()]).toEqual(kinds);
    expect(report.sends.acknowledged).toBeGreaterThan(20);
  } finally {
    await cluster.stop();
  }
});

test("of two servers one may be killed and stay away, or both be restarted: queues and sends go on at the other", {
  timeout,
}, async () => {
  const cluster = await startSeveral(2, await usedDirectory("demo"), temporaryDirectory);
  try {
    const kinds = Object.keys(faultsOfSeveral);
    const report = await runPlan({ cluster, seed, before, next: (round) => kinds[round] });
    console.log(String(report));
    expect([...report.recoveries.keys()]).toEqual(kinds);
    expect(report.sends.acknowledged).toBeGreaterThan(20);
  } finally {
    await cluster.stop();
  }
});
