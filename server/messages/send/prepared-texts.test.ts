import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { renderTurns } from "../../content/rendering.ts";

/** Nobody holds a connection of changes while a text waits for its turn to be rendered. */
let harness: Harness;
let general: number;
let scheduled: number;
beforeAll(async () => {
  harness = await createHarness();
  general = (await harness.channel("general", ["ada", "dev"])).id;
  scheduled = await schedule(general, "Stays.");
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

const say = sayIn(() => harness);
const timed = (to: number, content: string) => ({
  ...{ type: "channel", to, topic: "x", content },
  scheduled_delivery_timestamp: tomorrow(),
});

async function schedule(to: number, content: string): Promise<number> {
  const made = await expectSuccess(harness.as("dev").post("/scheduled_messages", timed(to, content)));
  return made.scheduled_message_id;
}

test.each([
  ["schedules a message", () => harness.as("dev").post("/scheduled_messages", timed(general, "Later."))],
  [
    "changes its text",
    () => harness.as("dev").patch(`/scheduled_messages/${scheduled}`, { content: "New." }),
  ],
  ["changes its topic", () => harness.as("dev").patch(`/scheduled_messages/${scheduled}`, { topic: "y" })],
  [
    "sets a reminder",
    async () => {
      const at = { scheduled_delivery_timestamp: tomorrow(), note: "Do it." };
      const message_id = await say("ada", "general");
      return harness.as("dev").post("/reminders", { message_id, ...at });
    },
  ],
])("who %s with a text that waits for its turn holds up nobody", async (_, call) => {
  const run = renderTurns.run.bind(renderTurns);
  const held: number[] = [];
  vi.spyOn(renderTurns, "run").mockImplementation((async (owner, cost, work) => {
    held.push(harness.services.database.laneUse.changes.taken);
    return run(owner, cost, work);
  }) as typeof run);
  await expectSuccess(call());
  expect(held.filter((count) => count > 0)).toEqual([]);
});

test("a scheduled message shows the files of its text that its writer may read", async () => {
  const { id } = await harness.channel("files", ["dev"]);
  const url = await uploaded(harness, "dev", "soup", "soup.png");
  const own = await schedule(id, `[soup](${url})`);
  const { scheduled_messages } = await expectSuccess(harness.as("dev").get("/scheduled_messages"));
  const found = scheduled_messages.find(
    (one: { scheduled_message_id: number }) => one.scheduled_message_id === own,
  );
  expect(found.rendered_content).toContain(`href="${url}"`);
});
