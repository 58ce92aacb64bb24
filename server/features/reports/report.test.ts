import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
let moderators: number;
let id: number;
beforeAll(async () => {
  harness = await createHarness();
  moderators = (await harness.channel("moderators", ["ada", "cleo"], { isPrivate: true })).id;
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
});
afterAll(() => harness.close());
beforeEach(async () => {
  const content = "Buy now\n````quote\nnested\n````";
  id = (await harness.as("gus").post("/messages", { type: "channel", to: "kitchen", topic: "ads", content }))
    .body.id;
});

const report = (name: CastName, params: Record<string, unknown>, message = id) =>
  harness.as(name).post(`/messages/${message}/report`, params);
const choose = (channelId: number) =>
  harness.as("ada").patch("/realm", { moderation_request_channel_id: channelId });

async function newest(): Promise<{ content: string; subject: string; sender_full_name: string }> {
  const narrow = [{ operator: "channel", operand: moderators }];
  const params = { anchor: "newest", num_before: 1, num_after: 0, narrow, apply_markdown: true };
  return (await harness.as("cleo").get("/messages", params)).body.messages[0];
}

test("a report needs a channel to go to", async () => {
  const { status, body } = await report("dev", { report_type: "spam" });
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  expect((await choose(moderators)).status).toBe(200);
  expect((await report("dev", { report_type: "spam" })).status).toBe(200);
});

test("a report can't go to a channel that is archived", async () => {
  const { id: old } = await harness.channel("old moderators", ["ada"], { isPrivate: true });
  expect((await choose(old)).status).toBe(200);
  expect((await report("dev", { report_type: "spam" })).status).toBe(200);
  expect((await harness.as("ada").delete(`/streams/${old}`)).status).toBe(200);
  const { status, body } = await report("dev", { report_type: "spam" });
  expect([status, body.msg]).toEqual([400, "This organization has no channel for reports of messages."]);
});

test("a report names the reporter, the sender and the reason, and quotes the whole message", async () => {
  await choose(moderators);
  expect((await report("dev", { report_type: "norms", description: "Again!" })).status).toBe(200);
  const posted = await newest();
  expect(posted.sender_full_name).toBe("Notification Bot");
  expect(posted.subject).toBe("Gus Pike's messages");
  for (const part of ["Dev Rao", "Gus Pike", "norms", "Again!", "Buy now", "nested"]) {
    expect(posted.content).toContain(part);
  }
  expect(posted.content.match(/<blockquote>/g)?.length).toBe(3);
});

test("only the people of a direct message can report it", async () => {
  await choose(moderators);
  const direct = { type: "direct", to: [harness.user("dev").id], content: "psst" };
  const message = (await harness.as("gus").post("/messages", direct)).body.id;
  expect((await report("ada", { report_type: "spam" }, message)).body.msg).toBe("Invalid message(s)");
  expect((await report("dev", { report_type: "harassment" }, message)).status).toBe(200);
  expect((await newest()).content).toContain("psst");
});

test("another reason needs an explanation of at most a thousand characters", async () => {
  await choose(moderators);
  for (const description of [undefined, "", "  "]) {
    expect((await report("dev", { report_type: "other", description })).status).toBe(400);
  }
  expect((await report("dev", { report_type: "spam", description: "x".repeat(1001) })).status).toBe(400);
  expect((await report("dev", { report_type: "other", description: "🥣".repeat(1000) })).status).toBe(200);
  expect((await report("dev", { report_type: "boring" })).status).toBe(400);
});

test("reporting an unreadable message fails like reporting one that does not exist", async () => {
  await choose(moderators);
  const secret = { type: "channel", to: "moderators", topic: "x", content: "secret" };
  const message = (await harness.as("ada").post("/messages", secret)).body.id;
  for (const name of ["dev", "gus"] as const) {
    expect((await report(name, { report_type: "spam" }, message)).body).toEqual(
      (await report(name, { report_type: "spam" }, 99_999_999)).body,
    );
  }
});
