import { afterAll, beforeEach, expect, test } from "vitest";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { expectSuccess, sayIn } from "../../test/harness/answers.ts";
import { endExpiryGrace } from "../../test/harness/expiry.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../test/harness/harness.ts";
import { countJobs, runJobs, runJobsEarly } from "../../test/harness/jobs.ts";
import { listen } from "../../test/harness/listener.ts";
import { Node } from "../../test/harness/node.ts";
import { expireMessagesOf } from "../messages/retention/expire.ts";
import { changeContent, changeState } from "../people/viewer/change.ts";
import { sql } from "../platform/db/sql.ts";
import { runStateChange } from "../platform/log/change.ts";
import { deactivateOrganization, reactivateOrganization } from "./deactivate.ts";

let harness: Harness;
const say = sayIn(() => harness);
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

const deactivate = () => runStateChange(harness.state, deactivateOrganization);
const reactivate = () => runStateChange(harness.state, reactivateOrganization);
const deactivated = [401, "REALM_DEACTIVATED"];

test("calls and sign-ins are refused for everybody in the organization, and for nobody else", async () => {
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  expect(await deactivate()).toBe(true);
  for (const name of ["ada", "dev", "gus", "echo"] as const) {
    const { status, body } = await harness.as(name).get("/users/me");
    expect([status, body.code]).toEqual(deactivated);
  }
  const wrong = { username: "ada@demo.test", password: "wrong" };
  for (const answer of [
    await harness.nobody().post("/fetch_api_key", wrong),
    await harness.nobody().post("/dev_fetch_api_key", { username: "ada@demo.test" }),
    await harness.nobody().get("/dev_list_users"),
    await harness.nobody().post("/register", {}),
  ]) {
    expect([answer.status, answer.body.code]).toEqual(deactivated);
  }
  await expectSuccess(harness.as("zed").get("/users/me"));
});

test("the settings and the start page say so, and nothing is offered without an account", async () => {
  const settings = async () => (await harness.nobody().get("/server_settings")).body;
  const page = async (host: string) => (await harness.app.inject({ url: "/", headers: { host } })).body;
  await harness.as("ada").patch("/realm", { description: "We cook.", enable_spectator_access: true });
  expect(await settings()).toMatchObject({
    realm_description: "<p>We cook.</p>",
    realm_web_public_access_enabled: true,
  });
  expect(await page(HOST)).not.toContain("deactivated");
  await deactivate();
  expect(await settings()).toMatchObject({
    realm_description: "<p>This organization has been deactivated.</p>",
    realm_web_public_access_enabled: false,
  });
  expect(await page(HOST)).toContain("This organization has been deactivated.");
  expect(await page(OTHER_HOST)).not.toContain("deactivated");
});

test("event queues end, and the polls that they hold get the event", async () => {
  const { queueId, snapshot } = await listen(harness.as("dev"));
  const poll = { queue_id: queueId, last_event_id: snapshot.last_event_id };
  const held = harness.as("dev").get("/events", poll);
  const elsewhere = await listen(harness.as("zed"));
  // The poll is held once a later call is answered.
  await harness.as("dev").get("/users/me");
  await deactivate();
  const { events } = await expectSuccess(held);
  expect(events).toEqual([
    { id: expect.any(Number), type: "realm", op: "deactivated", realm_id: harness.state.organizationId },
  ]);
  const later = await harness.as("dev").get("/events", { ...poll, dont_block: true });
  expect([later.status, later.body.code]).toEqual(deactivated);
  await reactivate();
  const after = await harness.as("dev").get("/events", { ...poll, dont_block: true });
  expect([after.status, after.body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
  expect(await elsewhere.heard()).toEqual([]);
});

test("another node refuses at once, and ends the polls that it holds", async () => {
  const { config, database } = harness.services;
  const { organizationId } = harness.state;
  const kitchen = await harness.channel("kitchen", ["dev"]);
  const node = await Node.start(config, database.connection, { organizationId });
  try {
    const held = node.poll("dev@demo.test", await node.open("dev@demo.test"), -1);
    await deactivate();
    // Its memory may still be old: the commit finds that out.
    await expect(node.say("dev@demo.test", kitchen, "Soup")).rejects.toThrow("deactivated");
    await node.state.catchUp();
    expect(await held).toEqual([]);
    await expect(changeState(node.viewer("dev@demo.test"), async () => {})).rejects.toThrow("deactivated");
  } finally {
    await node.stop();
  }
});

test("a change that is under way is refused", async () => {
  const { viewer } = harness.user("dev");
  await deactivate();
  for (const change of [changeState, changeContent]) {
    await expect(change(viewer, async () => {})).rejects.toThrow("This organization has been deactivated");
  }
});

test("after the reactivation everything is as it was", async () => {
  await harness.channel("kitchen", ["dev"]);
  const id = await say("dev", "kitchen");
  await deactivate();
  expect(await deactivate()).toBe(false);
  expect(await reactivate()).toBe(true);
  expect(await reactivate()).toBe(false);
  const { message } = await expectSuccess(harness.as("dev").get(`/messages/${id}`));
  expect(message.id).toBe(id);
  await expectSuccess(harness.as("echo").get("/users/me"));
});

test("both are in the audit log, as changes of the command line", async () => {
  await deactivate();
  await reactivate();
  const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { limit: 2 }));
  expect(entries.map(({ action, actor_id }: Record<string, unknown>) => [action, actor_id])).toEqual([
    ["organization_reactivated", null],
    ["organization_deactivated", null],
  ]);
});

test("scheduled messages and reminders wait for the reactivation", async () => {
  const { id: channel } = await harness.channel("kitchen", ["dev"]);
  const message_id = await say("dev", "kitchen");
  const scheduled_delivery_timestamp = tomorrow();
  const message = { type: "channel", to: channel, topic: "lunch", content: "Soup is ready" };
  await expectSuccess(
    harness.as("dev").post("/scheduled_messages", { ...message, scheduled_delivery_timestamp }),
  );
  await expectSuccess(harness.as("dev").post("/reminders", { message_id, scheduled_delivery_timestamp }));
  await deactivate();
  await runJobsEarly(harness.services);
  await runJobs(harness.services);
  for (const name of ["deliver_scheduled_message", "deliver_reminder"]) {
    expect(await countJobs(harness.services, name), name).toBe(1);
  }
  await reactivate();
  const listed = await harness.as("dev").get("/scheduled_messages");
  expect(listed.body.scheduled_messages).toMatchObject([{ failed: false }]);
  expect((await harness.as("dev").get("/reminders")).body.reminders).toHaveLength(1);
  await runJobsEarly(harness.services);
  const found = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", found));
  const texts = messages.map(({ content }: { content: string }) => content);
  expect(texts).toContain("Soup is ready");
  expect(texts.filter((text: string) => text.includes("remind"))).toHaveLength(1);
});

test("no message expires while the organization is deactivated", async () => {
  await harness.channel("week", ["dev"], { messageRetentionDays: 7 });
  await endExpiryGrace(harness);
  const id = await say("dev", "week");
  const { organizationId, database } = harness.state;
  await database.query(sql`
    update messages set sent_at = now() - interval '8 days'
    where organization_id = ${organizationId} and id = ${id}`);
  const expire = () =>
    expireMessagesOf.run(
      harness.services,
      { organizationId },
      { signal: new AbortController().signal, dueAt: new Date() },
    );
  const count = async () =>
    (
      await database.query(
        sql`select 1 from messages where organization_id = ${organizationId} and id = ${id}`,
      )
    ).length;
  await deactivate();
  await expire();
  expect(await count()).toBe(1);
  await reactivate();
  await expire();
  expect(await count()).toBe(0);
});
