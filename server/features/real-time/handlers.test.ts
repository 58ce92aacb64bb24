import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

const register = (params: Record<string, unknown>) => harness.as("dev").post("/register", params);

test("a queue keeps no unknown event types and capabilities", async () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `made_up_${n}`);
  const { queue_id } = await expectSuccess(
    register({
      event_types: [...names(190), "message", "reaction", "message"],
      client_capabilities: Object.fromEntries(
        [...names(1000), "empty_topic_name"].map((name) => [name, true]),
      ),
    }),
  );
  const { options } = queuesOf(harness.state).byId.get(queue_id)!;
  expect(options.eventTypes).toEqual(["message", "reaction"]);
  expect(Object.keys(options.capabilities).filter((name) => options.capabilities[name])).toEqual([
    "empty_topic_name",
  ]);
  expect(JSON.stringify(options).length).toBeLessThan(1000);
  const empty = await expectSuccess(register({ event_types: names(1) }));
  expect(queuesOf(harness.state).byId.get(empty.queue_id)?.options.eventTypes).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ["of event_types", { event_types: Array(201).fill("message") }],
  ["of fetch_event_types", { fetch_event_types: Array(201).fill("message") }],
  ["with a long name", { event_types: ["x".repeat(61)] }],
  ["of terms, one of them long", { narrow: [["topic", "x".repeat(501)]] }],
])("a list %s that is longer than any could be is refused", async (_, params) => {
  expect((await register(params)).status).toBe(400);
});
