import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { changeChannel } from "../../channels/update/update.ts";
import { runStateChange } from "../../platform/log/change.ts";

let harness: Harness;
let limited: Harness;
let moderators: number;
let id: number;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  limited = await createHarness({ PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" });
  moderators = (await harness.channel("moderators", ["ada", "cleo"], { isPrivate: true })).id;
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
});
afterAll(async () => {
  await limited.close();
  await harness.close();
});
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

test("the channel for reports can't be opened to more people", async () => {
  const { id: first } = await harness.channel("first moderators", ["ada"], { isPrivate: true });
  const { id: second } = await harness.channel("second moderators", ["ada"], { isPrivate: true });
  await choose(first);
  const ada = harness.as("ada");
  await ada.patch("/realm", { enable_spectator_access: true });
  for (const privacy of [{ is_private: false }, { is_private: false, is_web_public: true }]) {
    const { status, body } = await ada.patch(`/streams/${first}`, privacy);
    expect([status, body.msg]).toEqual([400, "The channel for reports of messages must be private."]);
  }
  expect((await ada.patch(`/streams/${first}`, { description: "reports" })).status).toBe(200);
  await choose(second);
  expect((await ada.patch(`/streams/${first}`, { is_private: false })).status).toBe(200);
});

test("a report is refused while the channel for it is not private", async () => {
  const { id: open } = await harness.channel("once private", ["ada"], { isPrivate: true });
  await choose(open);
  expect((await report("dev", { report_type: "spam" })).status).toBe(200);
  // An older version of the server let people open the channel.
  await runStateChange(harness.state, async (tx) => {
    const channel = tx.state.get(channels).find(open) as Channel;
    await changeChannel(tx, channel, { ...channel, isPrivate: false, isHistoryShared: true });
  });
  const { status, body } = await report("dev", { report_type: "spam" });
  expect([status, body.msg]).toEqual([400, "This organization has no channel for reports of messages."]);
});

test("a person can make ten reports in an hour, and failed ones do not count", async () => {
  const { id: reports } = await limited.channel("moderators", ["ada"], { isPrivate: true });
  await limited.channel("kitchen", ["ada", "dev", "gus"]);
  await limited.as("ada").patch("/realm", { moderation_request_channel_id: reports });
  const message = { type: "channel", to: "kitchen", topic: "ads", content: "Buy now" };
  const { id: ad } = (await limited.as("gus").post("/messages", message)).body;
  const reportAs = (name: CastName, type: string) =>
    limited.as(name).post(`/messages/${ad}/report`, { report_type: type });
  const statuses: number[] = [];
  for (let index = 0; index < 10; index++) {
    expect((await reportAs("dev", "other")).status).toBe(400);
    statuses.push((await reportAs("dev", "spam")).status);
  }
  expect(statuses).toEqual(Array(10).fill(200));
  const { status, body } = await reportAs("dev", "spam");
  expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  expect((await reportAs("ada", "spam")).status).toBe(200);
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
