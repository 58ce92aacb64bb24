// A person is deactivated after a node has found out who calls, and before what they asked for is committed.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deactivateUser } from "../../server/people/actions.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { expectSuccess } from "../harness/answers.ts";
import { CAST_PASSWORD } from "../harness/cast.ts";
import {
  type Answer,
  type Caller,
  callerOf,
  createHarness,
  type Harness,
  HOST,
  serverConnections,
} from "../harness/harness.ts";
import { firstNode, furtherNode, type HttpNode } from "../harness/http-node.ts";
import { untilWaiting } from "../harness/waiting.ts";

let harness: Harness;
let one: HttpNode;
let two: HttpNode;
let ben: Caller;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" }, serverConnections);
  one = await firstNode(harness);
  two = await furtherNode(harness);
});
// With the key that the account has now.
beforeEach(async () => {
  const { email } = harness.user("ben");
  const { api_key } = await expectSuccess(harness.nobody().post("/dev_fetch_api_key", { username: email }));
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  ben = callerOf(two.app, { host: HOST, authorization });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
  await harness.close();
});

const calls: Readonly<Record<string, () => Promise<Answer>>> = {
  "makes a channel": () => ben.post("/channels/create", { name: "midway", subscribers: [] }),
  "makes a group": () => ben.post("/user_groups/create", { name: "midway", description: "", members: [] }),
  "makes a folder": () => ben.post("/channel_folders/create", { name: "midway" }),
  "makes a bot": () => ben.post("/bots", { full_name: "Midway", short_name: "midway" }),
  "changes the organization": () => ben.patch("/realm", { description: "midway" }),
  "raises a role": () =>
    ben.patch(`/users/${harness.user("gus").id}`, { role: 200, password: CAST_PASSWORD }),
  "takes another key": () => ben.post("/users/me/api_key/regenerate"),
};

test.each(Object.entries(calls))("a person who %s at that moment has done nothing", async (_, ask) => {
  const { queue_id, last_event_id } = await expectSuccess(ben.post("/register", { fetch_event_types: [] }));
  const held = ben.get("/events", { queue_id, last_event_id });
  await expect.poll(() => queuesOf(two.state).byId.get(queue_id)?.held).toBeDefined();
  let asked: Promise<Answer> | undefined;
  await runStateChange(one.state, async (tx) => {
    await deactivateUser(tx, harness.user("ben").user);
    asked = ask();
    // It has been let in, and waits for the change that this is.
    await untilWaiting(harness.services.database, 1, asked);
  });
  const { status, body } = (await asked) as Answer;
  expect([status, body.msg]).toEqual([401, "Account is deactivated"]);
  expect(JSON.stringify((await held).body)).not.toContain("midway");
  expect((await ben.get("/events", { queue_id, last_event_id })).status).toBe(401);
  await expectSuccess(harness.as("ada").post(`/users/${harness.user("ben").id}/reactivate`));
});
