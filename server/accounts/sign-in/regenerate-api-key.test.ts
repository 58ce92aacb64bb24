import { afterAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import {
  type Caller,
  type CastName,
  callerOf,
  createHarness,
  type Harness,
  HOST,
} from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { readApiKey } from "../../people/credentials.ts";
import { authenticate } from "./authenticate.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

const regenerate = async (name: CastName): Promise<string> =>
  (await expectSuccess(harness.as(name).post("/users/me/api_key/regenerate"))).api_key;

function withKey(name: CastName, key: string): Caller {
  const authorization = `Basic ${Buffer.from(`${harness.user(name).email}:${key}`).toString("base64")}`;
  return callerOf(harness.app, { host: HOST, authorization });
}

test("a person gets a new key, and the old one stops working at once", async () => {
  const key = await regenerate("dev");
  expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(key).not.toBe(harness.user("dev").apiKey);
  expect((await withKey("dev", key).get("/users/me")).body.user_id).toBe(harness.user("dev").id);
  const old = await harness.as("dev", { byFirstKey: true }).get("/users/me");
  expect([old.status, old.body.code, old.body.msg]).toEqual([401, "UNAUTHORIZED", "Invalid API key"]);
  const signedIn = await harness.nobody().post("/dev_fetch_api_key", { username: "dev@demo.test" });
  expect(signedIn.body.api_key).toBe(key);
});

test("nobody else's key changes, not even that of one's bots", async () => {
  await regenerate("ben");
  for (const name of ["ada", "dev", "echo", "zed"] as const) {
    await expectSuccess(harness.as(name).get("/users/me"));
  }
});

test("of two calls with one key at the same time, one gets a new key and the other is refused", async () => {
  const calls = [1, 2].map(() => harness.as("dev").post("/users/me/api_key/regenerate"));
  const answers = (await Promise.all(calls)).sort((a, b) => a.status - b.status);
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  await expectSuccess(withKey("dev", answers[0]?.body.api_key).get("/users/me"));
});

test("event queues stay, and polls that are held with the old key end", async () => {
  const { queueId, snapshot } = await listen(harness.as("dev"));
  const poll = { queue_id: queueId, last_event_id: snapshot.last_event_id };
  const held = harness.as("dev").get("/events", poll);
  const key = await regenerate("dev");
  expect((await held).body).toMatchObject({ result: "success", events: [] });
  const message = { type: "direct", to: [harness.user("dev").id], content: "Only for the new key" };
  await expectSuccess(harness.as("ada").post("/messages", message));
  expect((await harness.as("dev", { byFirstKey: true }).get("/events", poll)).status).toBe(401);
  const { events } = await expectSuccess(withKey("dev", key).get("/events", poll));
  expect(events[0].message.content).toBe("Only for the new key");
});

test("bots can't replace their own key", async () => {
  expect(await refusal(harness.as("echo").post("/users/me/api_key/regenerate"))).toBe(
    "This endpoint does not accept bot requests.",
  );
  await expectSuccess(harness.as("echo").get("/users/me"));
});

test("a send that began with the old key on another node is refused", async () => {
  const { config, database } = harness.services;
  await harness.channel("kitchen", ["dev"]);
  const { organizationId } = harness.state;
  const node = await Node.start(config, database.connection, { organizationId });
  try {
    const { email, apiKey } = harness.user("dev");
    const viewer = authenticate(node.state, node.services.keyring, email, apiKey, "test");
    const draft = { content: "Soup", localEcho: null, readBySender: null };
    const send = () =>
      sendMessage(viewer, {
        ...draft,
        to: { kind: "channel", channel: { name: "kitchen" }, topic: "lunch" },
      });
    await send();
    await regenerate("dev");
    await expect(send()).rejects.toThrow("Invalid API key");
    await node.state.catchUp();
    expect(() => authenticate(node.state, node.services.keyring, email, apiKey, "test")).toThrow(
      "Invalid API key",
    );
  } finally {
    await node.stop();
  }
});

test("on a production server a person gets at most 20 new keys an hour", async () => {
  const production = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const { id, email } = production.user("ada");
    for (let each = 0; each <= 20; each++) {
      const key = await readApiKey(production.state, production.services.keyring, id as UserId);
      const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
      const caller = callerOf(production.app, { host: HOST, authorization });
      const { status } = await caller.post("/users/me/api_key/regenerate");
      expect(status).toBe(each < 20 ? 200 : 429);
    }
  } finally {
    await production.close();
  }
});
