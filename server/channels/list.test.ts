import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";

let harness: Harness;
let count = 0;
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `channel ${++count}`;
});

describe("GET /users/me/subscriptions", () => {
  test("lists the caller's channels, with subscribers if asked", async () => {
    await harness.channel(fresh, ["dev", "elin"]);
    const plain = await harness.as("elin").get("/users/me/subscriptions");
    const full = await harness.as("elin").get("/users/me/subscriptions", { include_subscribers: true });
    const of = (body: { subscriptions: { name: string }[] }) =>
      body.subscriptions.find(({ name }) => name === fresh);
    expect(of(plain.body)).toMatchObject({ subscriber_count: 2 });
    expect(of(plain.body)).not.toHaveProperty("subscribers");
    expect(of(full.body)).toMatchObject({ subscribers: [harness.user("dev").id, harness.user("elin").id] });
    expect(of((await harness.as("cleo").get("/users/me/subscriptions")).body)).toBeUndefined();
  });
});

describe("GET /streams", () => {
  const listed = async (name: CastName, params: Record<string, unknown> = {}) =>
    (await harness.as(name).get("/streams", params)).body.streams.map((each: { name: string }) => each.name);

  test("lists public channels and the caller's own, but no private channel that others are in", async () => {
    await harness.channel(fresh, ["gus"]);
    await harness.channel(`${fresh} private`, ["dev"], { isPrivate: true });
    expect(await listed("dev")).toEqual(expect.arrayContaining([fresh, `${fresh} private`]));
    expect(await listed("elin")).toContain(fresh);
    for (const more of [{}, { include_all: true }, { include_can_access_content: true }]) {
      expect(await listed("elin", more)).not.toContain(`${fresh} private`);
    }
    expect(await listed("zed", { include_all: true })).not.toContain(fresh);
  });

  test("lists only the channels that its filters include", async () => {
    await harness.channel(fresh, ["dev", "gus", "ben"]);
    await harness.channel(`${fresh} private`, ["dev"], { isPrivate: true });
    expect(await listed("elin", { include_public: false })).not.toContain(fresh);
    expect(await listed("dev", { include_public: false })).toContain(fresh);
    expect(await listed("dev", { include_subscribed: false })).not.toContain(`${fresh} private`);
    expect(await listed("ben", { include_all_active: true })).toContain(`${fresh} private`);
    expect(await listed("ben", { include_can_access_content: true })).not.toContain(`${fresh} private`);
    expect(await listed("gus")).toContain(fresh);
    expect(await listed("gus", { include_subscribed: false })).not.toContain(fresh);
    expect(await listed("echo", { include_public: false, include_owner_subscribed: true })).toContain(fresh);
  });

  test("lists the private channels of a bot's owner if asked, and nobody else's", async () => {
    await harness.channel(fresh, ["ben"], { isPrivate: true });
    await harness.channel(`${fresh} b`, ["ada"], { isPrivate: true });
    expect(await listed("echo", { include_owner_subscribed: true })).toContain(fresh);
    expect(await listed("echo", { include_owner_subscribed: true })).not.toContain(`${fresh} b`);
    expect(await listed("echo", { include_all: true })).not.toContain(fresh);
    expect(await listed("dev", { include_owner_subscribed: true })).not.toContain(fresh);
  });

  test("says which channels are default channels if asked", async () => {
    const subscriptions = [{ name: fresh }];
    await harness.as("ben").post("/users/me/subscriptions", { subscriptions, is_default_stream: true });
    const { body } = await harness.as("dev").get("/streams", { include_default: true });
    expect(body.streams.find((each: { name: string }) => each.name === fresh)).toMatchObject({
      is_default: true,
    });
    expect((await harness.as("dev").get("/streams")).body.streams[0]).not.toHaveProperty("is_default");
  });
});

describe("GET /streams/{stream_id}", () => {
  test("gives the same error for a channel that the caller may not know of as for a missing one", async () => {
    const { id: hidden } = await harness.channel(fresh, ["dev"], { isPrivate: true });
    expect((await harness.as("dev").get(`/streams/${hidden}`)).status).toBe(200);
    expect((await harness.as("ben").get(`/streams/${hidden}`)).status).toBe(200);
    const absent = await harness.as("elin").get("/streams/99999");
    for (const name of ["elin", "gus", "zed"] as const) {
      const answer = await harness.as(name).get(`/streams/${hidden}`);
      expect([answer.status, answer.body]).toEqual([400, absent.body]);
    }
  });
});
