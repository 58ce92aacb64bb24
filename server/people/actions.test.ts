import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Role, roles } from "../../api/roles.ts";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { runStateChange } from "../platform/log/change.ts";
import { queuesOf } from "../platform/queues/organization-queues.ts";
import { createUser, deactivateUser, giveApiKey } from "./actions.ts";
import { findEncryptedApiKey } from "./api-key-store.ts";
import { type User, users } from "./user.ts";

let harness: Harness;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

function add(more: { role?: Role; botType?: number; botOwnerId?: User["id"] } = {}): Promise<User> {
  count++;
  return runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `new${count}@demo.test`,
      fullName: `New ${count}`,
      role: roles.member,
      passwordHash: null,
      ...more,
    }),
  );
}

async function keyOf(user: User): Promise<string> {
  const encrypted = await findEncryptedApiKey(
    harness.services.database,
    harness.state.organizationId,
    user.id,
  );
  return harness.services.keyring.decrypt(encrypted as Buffer);
}

async function call(user: User, apiKey: string, url: string) {
  const authorization = `Basic ${Buffer.from(`${user.email}:${apiKey}`).toString("base64")}`;
  return harness.app.inject({ url: `/api/v1${url}`, headers: { host: "demo.test", authorization } });
}

describe("an account that is deactivated", () => {
  let user: User;
  let apiKey: string;
  beforeEach(async () => {
    user = await add();
    apiKey = await keyOf(user);
  });

  test("can't make another request", async () => {
    expect((await call(user, apiKey, "/users/me")).statusCode).toBe(200);
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    const answer = await call(user, apiKey, "/users/me");
    expect([answer.statusCode, answer.json().code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("loses its event queues, and a held poll is answered", async () => {
    const authorization = `Basic ${Buffer.from(`${user.email}:${apiKey}`).toString("base64")}`;
    const headers = { host: "demo.test", authorization };
    const registered = await harness.app.inject({ method: "POST", url: "/api/v1/register", headers });
    const { queue_id: queueId, last_event_id: lastEventId } = registered.json();
    const held = call(user, apiKey, `/events?queue_id=${queueId}&last_event_id=${lastEventId}`);
    await expect.poll(() => queuesOf(harness.state).byId.get(queueId)?.held).toBeDefined();
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    const answer = await held;
    expect(answer.body).not.toContain("realm_user");
    expect(queuesOf(harness.state).byId.has(queueId)).toBe(false);
  });

  test("is announced to everyone in the organization, and to nobody else", async () => {
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    const stranger = await listen(harness.as("zed"), { event_types: ["realm_user"] });
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    expect(await guest.heard()).toEqual([
      { type: "realm_user", op: "update", person: { user_id: user.id, is_active: false } },
    ]);
    expect(await stranger.heard()).toEqual([]);
  });

  test("takes its bots with it, but not the bots of others", async () => {
    const bot = await add({ botType: 1, botOwnerId: user.id });
    const botKey = await keyOf(bot);
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    expect((await call(bot, botKey, "/users/me")).statusCode).toBe(401);
    expect((await harness.as("echo").get("/users/me")).status).toBe(200);
  });

  test("stays in the list of deactivated users", async () => {
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["realm_user"] });
    const ids = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
    expect(ids(body.realm_users)).not.toContain(user.id);
    expect(ids(body.realm_non_active_users)).toContain(user.id);
  });
});

test("the only owner can't be deactivated, but one of two can", async () => {
  const ada = harness.user("ada").user;
  const attempt = () =>
    runStateChange(harness.state, (tx) =>
      deactivateUser(tx, harness.state.get(users).byId.get(ada.id) as User),
    );
  await expect(attempt()).rejects.toMatchObject({
    fields: { entity: "organization owner", is_last_owner: true },
  });
  await add({ role: roles.owner, botType: 1, botOwnerId: ada.id });
  await expect(attempt()).rejects.toThrow("only organization owner");
  const second = await add({ role: roles.owner });
  await runStateChange(harness.state, (tx) => deactivateUser(tx, second));
  await expect(attempt()).rejects.toThrow("only organization owner");
});

test("a new API key replaces the old one", async () => {
  const user = await add();
  const old = await keyOf(user);
  const key = await runStateChange(harness.state, (tx) => giveApiKey(tx, harness.services.keyring, user.id));
  expect((await call(user, old, "/users/me")).statusCode).toBe(401);
  expect((await call(user, key, "/users/me")).statusCode).toBe(200);
});

test("a new user is sent with a picture, except to clients that compute it", async () => {
  await harness.as("ada").patch("/realm", { default_avatar_source: "G" });
  const making = await listen(harness.as("dev"), { event_types: ["realm_user"], client_gravatar: true });
  const told = await listen(harness.as("dev"), { event_types: ["realm_user"], client_gravatar: false });
  await add();
  expect((await making.heard())[0].person.avatar_url).toBeNull();
  expect((await told.heard())[0].person.avatar_url).toMatch(/^https:\/\//);
  await harness.as("ada").patch("/realm", { default_avatar_source: "J" });
});
