import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs } from "../../../test/harness/jobs.ts";
import { addQuotaUse } from "../../people/quotas/store.ts";

let harness: Harness;
let limited: Harness;
let kitchen: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  limited = await createHarness({ PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" });
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "gus", "echo"])).id;
  leads = (await harness.channel("leads", ["ada"], { isPrivate: true })).id;
});
afterAll(async () => {
  await limited.close();
  await harness.close();
});
beforeEach(async () => {
  for (const name of ["dev", "gus", "echo"] as const) {
    for (const { scheduled_message_id: id } of await list(name)) await remove(name, id);
  }
});

const id = (name: CastName) => harness.user(name).id;
const soup = () => ({
  type: "channel",
  to: kitchen,
  topic: "lunch",
  content: "Soup is *ready*",
  scheduled_delivery_timestamp: tomorrow(),
});
const post = (name: CastName, params: Record<string, unknown>) =>
  harness.as(name).post("/scheduled_messages", params);
const patch = (name: CastName, message: number, params: Record<string, unknown>) =>
  harness.as(name).patch(`/scheduled_messages/${message}`, params);
const remove = (name: CastName, message: number) => harness.as(name).delete(`/scheduled_messages/${message}`);
const list = async (name: CastName) =>
  (await expectSuccess(harness.as(name).get("/scheduled_messages"))).scheduled_messages;
const schedule = async (name: CastName, more: Record<string, unknown> = {}): Promise<number> =>
  (await expectSuccess(post(name, { ...soup(), ...more }))).scheduled_message_id;

describe("scheduling a message", () => {
  test("keeps it with its text rendered, and sends nothing yet", async () => {
    const time = tomorrow();
    const message = await schedule("dev", { scheduled_delivery_timestamp: time });
    const record = {
      scheduled_message_id: message,
      type: "stream",
      to: kitchen,
      topic: "lunch",
      content: "Soup is *ready*",
      rendered_content: "<p>Soup is <em>ready</em></p>",
      scheduled_delivery_timestamp: time,
      failed: false,
    };
    expect(await list("dev")).toEqual([record]);
    const { scheduled_messages } = await expectSuccess(harness.as("dev").post("/register"));
    expect(scheduled_messages).toEqual([record]);
    const narrow = [{ operator: "channel", operand: kitchen }];
    const params = { anchor: "newest", num_before: 10, num_after: 0, narrow };
    expect((await expectSuccess(harness.as("ada").get("/messages", params))).messages).toEqual([]);
  });

  test("of a direct message names the other people, or oneself", async () => {
    await schedule("dev", { type: "direct", to: [id("elin"), id("dev"), id("gus")] });
    await schedule("dev", { type: "private", to: id("dev") });
    const to = (await list("dev")).map(({ type, to }: { type: string; to: number[] }) => [type, to]);
    expect(to).toEqual([
      ["private", [id("elin"), id("gus")]],
      ["private", [id("dev")]],
    ]);
  });

  test("is open to guests and bots", async () => {
    await schedule("gus");
    await schedule("echo");
    expect([(await list("gus")).length, (await list("echo")).length]).toEqual([1, 1]);
  });

  test("lists the messages in the order of their times", async () => {
    const late = await schedule("dev", { scheduled_delivery_timestamp: tomorrow() + 60 });
    const soon = await schedule("dev");
    const ids = (await list("dev")).map(
      (each: { scheduled_message_id: number }) => each.scheduled_message_id,
    );
    expect(ids).toEqual([soon, late]);
  });

  test("makes no topic and no conversation before the message is sent", async () => {
    await schedule("dev", { topic: "a topic of tomorrow" });
    const { topics } = await expectSuccess(harness.as("ada").get(`/users/me/${kitchen}/topics`));
    expect(topics).toEqual([]);
  });

  test.each([
    ["a time that has passed", { scheduled_delivery_timestamp: 1 }, "must be in the future"],
    ["a time before all times", { scheduled_delivery_timestamp: -(2 ** 52) }, "must be in the future"],
    ["a time in six years", { scheduled_delivery_timestamp: tomorrow() + 6 * 366 * 86400 }, "next 5 years"],
    ["a time after all times", { scheduled_delivery_timestamp: 2 ** 52 }, "next 5 years"],
    ["an empty text", { content: " " }, "Message must not be empty"],
    ["a channel without a topic", { topic: undefined }, "Missing 'topic' argument"],
    ["a channel that does not exist", { to: 99_999_999 }, "Channel with ID '99999999' does not exist"],
    ["several channels", { to: [1, 2] }, "Expected exactly one channel"],
    ["a person who does not exist", { type: "direct", to: [99_999_999] }, "Invalid user ID 99999999"],
    ["nobody", { type: "direct", to: [] }, "Message must have recipients"],
  ])("for %s is refused", async (_, params, words) => {
    expect(await refusal(post("dev", { ...soup(), ...params }))).toContain(words);
    expect(await list("dev")).toEqual([]);
    expect(await countJobs(harness.services, "deliver_scheduled_message")).toBe(0);
  });

  test("is refused for a channel that the sender may not know of, as if it did not exist", async () => {
    const message = await schedule("dev");
    for (const call of [post("dev", { ...soup(), to: leads }), patch("dev", message, { to: leads })]) {
      expect(await refusal(call)).toBe(`Channel with ID '${leads}' does not exist`);
    }
    expect(await refusal(post("ben", { ...soup(), to: leads }))).toContain("Not authorized to send");
  });

  test("has a limit for each person", async () => {
    for (let count = 0; count < 200; count++) await schedule("dev");
    expect(await refusal(post("dev", soup()))).toBe("You can have at most 200 scheduled messages.");
    await schedule("gus");
    const [first] = await list("dev");
    await expectSuccess(remove("dev", first.scheduled_message_id));
    await schedule("dev");
  });

  test("has a limit for each hour, which refused messages don't use", async () => {
    const dev = limited.as("dev");
    const direct = { type: "direct", to: [limited.user("dev").id], content: "x" };
    const later = { ...direct, scheduled_delivery_timestamp: tomorrow() };
    const { organizationId } = limited.state;
    const userId = limited.user("dev").user.id;
    await addQuotaUse(limited.services.database, organizationId, userId, "scheduled messages", 199);
    expect((await dev.post("/scheduled_messages", { ...later, content: "" })).status).toBe(400);
    expect((await dev.post("/scheduled_messages", later)).status).toBe(200);
    const { status, body } = await dev.post("/scheduled_messages", later);
    expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  });
});

describe("changing a scheduled message", () => {
  test("changes what is given and renders the text again", async () => {
    const message = await schedule("dev");
    await expectSuccess(patch("dev", message, { content: "**Bread**", topic: "dinner" }));
    expect(await list("dev")).toMatchObject([
      {
        to: kitchen,
        topic: "dinner",
        content: "**Bread**",
        rendered_content: "<p><strong>Bread</strong></p>",
      },
    ]);
  });

  test("can change its place, and a place of another kind needs all of its parts", async () => {
    const message = await schedule("dev");
    const needsTo = await refusal(patch("dev", message, { type: "direct" }));
    expect(needsTo).toBe("Recipient required when updating type of scheduled message.");
    await expectSuccess(patch("dev", message, { type: "direct", to: [id("gus")] }));
    const [direct] = await list("dev");
    expect(direct).toMatchObject({ type: "private", to: [id("gus")], content: "Soup is *ready*" });
    expect(direct).not.toHaveProperty("topic");
    const needsTopic = await refusal(patch("dev", message, { type: "stream", to: kitchen }));
    expect(needsTopic).toBe("Topic required when updating scheduled message type to channel.");
    await expectSuccess(patch("dev", message, { type: "channel", to: kitchen, topic: "tea" }));
    expect(await list("dev")).toMatchObject([{ type: "stream", to: kitchen, topic: "tea" }]);
  });

  test("to another time leaves one delivery, at the new time", async () => {
    const message = await schedule("dev");
    const time = tomorrow() + 3600;
    await expectSuccess(patch("dev", message, { scheduled_delivery_timestamp: time }));
    expect(await list("dev")).toMatchObject([{ scheduled_delivery_timestamp: time }]);
    expect(await countJobs(harness.services, "deliver_scheduled_message")).toBe(1);
  });

  test.each([
    ["nothing", {}, "Nothing to change"],
    ["a time that has passed", { scheduled_delivery_timestamp: 1 }, "must be in the future"],
    ["a time in six years", { scheduled_delivery_timestamp: 2 ** 40 }, "next 5 years"],
    ["an empty text", { content: "" }, "Message must not be empty"],
    ["a channel that does not exist", { to: 99_999_999 }, "does not exist"],
  ])("with %s is refused and changes nothing", async (_, params, words) => {
    const message = await schedule("dev");
    const before = await list("dev");
    expect(await refusal(patch("dev", message, params))).toContain(words);
    expect(await list("dev")).toEqual(before);
  });
});

describe("deleting a scheduled message", () => {
  test("takes its delivery back", async () => {
    const message = await schedule("dev");
    expect(await countJobs(harness.services, "deliver_scheduled_message")).toBe(1);
    await expectSuccess(remove("dev", message));
    expect(await list("dev")).toEqual([]);
    expect(await countJobs(harness.services, "deliver_scheduled_message")).toBe(0);
  });
});

test("another person's scheduled message is treated as one that does not exist", async () => {
  const message = await schedule("dev");
  for (const name of ["ada", "gus", "zed"] as const) {
    const answers = [await patch(name, message, { content: "mine" }), await remove(name, message)];
    const missing = [await patch(name, 99_999_999, { content: "mine" }), await remove(name, 99_999_999)];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      missing.map(({ status, body }) => [status, body]),
    );
    expect(answers[0]).toMatchObject({
      status: 404,
      body: { code: "BAD_REQUEST", msg: "Scheduled message does not exist" },
    });
    expect(await list(name)).toEqual([]);
  }
  expect(await list("dev")).toMatchObject([{ content: "Soup is *ready*" }]);
});
