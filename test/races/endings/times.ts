/**
 * How long what somebody holds on one node goes on after another node has answered the change that ends it.
 * `npm run bench endings` runs this, and gives the file for the times.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { createHarness, type Harness } from "../../harness/harness.ts";
import { firstNode, furtherNode, type HttpNode } from "../../harness/http-node.ts";
import { runJobs } from "../../harness/jobs.ts";
import { holdTotpStep } from "../../harness/one-time-codes.ts";
import { endings } from "./endings.ts";
import { type EndedAfter, type Held, holdAll } from "./held.ts";
import { addEverything } from "./person.ts";

/** What goes on after this is taken to go on for ever. */
const GIVE_UP_MS = 10_000;
/** Both nodes share a process, and many things are asked at once. Without a pause this would be a load. */
const PAUSE_MS = 20;
const CAUSES = [
  "an administrator deactivates the account",
  "the person changes the password",
  "the person removes the second step",
  "the person signs all other browsers out",
  "an administrator takes the person out of the channel",
];
const tries = Array.from({ length: Number(process.env.BENCH_TRIES) }, (_one, at) => at + 1);
const times: EndedAfter[] = [];

holdTotpStep();

let harness: Harness;
let one: HttpNode;
let two: HttpNode;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  one = await firstNode(harness);
  two = await furtherNode(harness);
  await expectSuccess(harness.as("ada").post("/export/realm", { export_type: 1 }));
  await runJobs(harness.services);
});
afterAll(async () => {
  writeFileSync(process.env.BENCH_TIMES as string, JSON.stringify(times));
  await two.stop();
  await one.stop();
  await harness.close();
});

test.each(CAUSES.flatMap((cause) => tries.map((at) => ({ cause, at }))))("$cause, $at", async ({ cause }) => {
  const { act, goesOn } = endings[cause] as (typeof endings)[string];
  const person = await addEverything(harness);
  const held = await holdAll({ harness, node: two, person });
  for (const [name, { goesOn }] of held) expect(await goesOn(), name).toBe(true);
  await act({ harness, node: one, person });
  const answeredAt = performance.now();
  const ending = [...held].filter(([name]) => !(name in goesOn));
  const ended = ending.map(async ([name, each]) => ({
    cause,
    held: name,
    ms: await endOf(each, answeredAt),
  }));
  times.push(...(await Promise.all(ended)));
  for (const { end } of held.values()) end?.();
});

async function endOf({ goesOn }: Held, since: number): Promise<number | null> {
  const passed = () => performance.now() - since;
  while (await goesOn()) {
    if (passed() > GIVE_UP_MS) return null;
    await sleep(PAUSE_MS);
  }
  return passed();
}
