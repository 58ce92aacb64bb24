import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { LaneName } from "../db/lanes.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

const register = () => harness.as("dev").post("/register", { fetch_event_types: ["stream"] });
const history = () => harness.as("dev").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });

test.each<[string, LaneName, () => Promise<{ status: number }>, () => Promise<{ status: number }>]>([
  ["registrations that take long hold up no histories", "registrations", register, history],
  ["histories that take long hold up no registrations", "reads", history, register],
])("%s", async (_name, lane, waits, answers) => {
  const { database } = harness.state;
  let end = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = Array.from({ length: database.laneUse[lane].connections }, () =>
    database.transaction(() => isOver, { lane }),
  );
  const waiting = waits();
  await expect.poll(() => database.laneUse[lane].waiting).toBe(1);
  expect((await answers()).status).toBe(200);
  expect(database.laneUse[lane].waiting).toBe(1);
  end();
  expect((await waiting).status).toBe(200);
  await Promise.all(slow);
});
