import { afterAll, beforeAll, expect, test } from "vitest";
import { events } from "../../../api/index.ts";
import { capabilityNames, MAX_NARROW_BYTES } from "../../../api/integrations/real-time.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import { MAX_QUEUES_OF_USER } from "../../platform/queues/queue-limit.ts";

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
  ["of terms, one of them long", { narrow: [["topic", "x".repeat(255)]] }],
])("a list %s that is longer than any could be is refused", async (_, params) => {
  expect((await register(params)).status).toBe(400);
});

test("the options of one queue take at most 4 kB, and those of one person 1 MB", async () => {
  const everything = {
    event_types: events.map(({ type }) => type),
    client_capabilities: Object.fromEntries(capabilityNames.map((name) => [name, true])),
    all_public_streams: true,
    apply_markdown: true,
    include_subscribers: "partial",
  };
  const terms = (count: number) => Array.from({ length: count }, () => ["topic", "\u4e00".repeat(60)]);
  expect(await refusal(register({ ...everything, narrow: terms(11) }))).toBe(
    "narrow is too long (limit: 2000 bytes)",
  );
  const { queue_id } = await expectSuccess(
    register({ ...everything, narrow: terms(10), fetch_event_types: [] }),
  );
  const { options } = queuesOf(harness.state).byId.get(queue_id)!;
  const bytes =
    Buffer.byteLength(JSON.stringify(options)) - Buffer.byteLength(JSON.stringify(options.narrow));
  expect(bytes + MAX_NARROW_BYTES).toBeLessThan(4096);
  expect((bytes + MAX_NARROW_BYTES) * MAX_QUEUES_OF_USER).toBeLessThan(1_000_000);
});

test("a narrow may name a sender by the longest email address", async () => {
  const narrow = [["sender", `${"x".repeat(244)}@demo.test`]];
  await expectSuccess(register({ narrow, event_types: ["message"] }));
});
