import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";

const levels = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
type Level = keyof typeof levels;

/** Everyone whose role is another one, highest first. */
const readers = ["ada", "ben", "cleo", "elin", "gus"] as const;
const readersOf: Record<Level, readonly CastName[]> = {
  everyone: readers,
  members: ["ada", "ben", "cleo", "elin"],
  moderators: ["ada", "ben", "cleo"],
  administrators: ["ada", "ben"],
  nobody: [],
};

let harness: Harness;
let dummy: string;
beforeAll(async () => {
  harness = await createHarness();
  dummy = `user${idOf("dev")}@${HOST}`;
  await harness.channel("lounge", [...readers, "dev"]);
});
afterAll(() => harness.close());
beforeEach(() => hide("everyone"));

const real = "dev@demo.test";
const idOf = (name: CastName) => harness.user(name).id;
const hide = (level: Level, name: CastName = "dev") =>
  expectSuccess(harness.as(name).patch("/settings", { email_address_visibility: levels[level] }));
const changeRole = (name: CastName, role: number) =>
  expectSuccess(harness.as("ada").patch(`/users/${idOf(name)}`, { role }));

// biome-ignore lint/suspicious/noExplicitAny: each answer is checked against its declaration first.
const devIn = (list: any[]) => list.find(({ user_id }) => user_id === idOf("dev"));

describe.each(Object.keys(levels) as Level[])("an address that is for %s", (level) => {
  beforeEach(() => hide(level));

  test.each(readers)("is shown accordingly to %s in the directory and by /register", async (reader) => {
    const sees = readersOf[level].includes(reader);
    const expected = { email: level === "everyone" ? real : dummy, delivery_email: sees ? real : null };
    const caller = harness.as(reader);
    expect(devIn((await caller.get("/users")).body.members)).toMatchObject(expected);
    expect((await caller.get(`/users/${idOf("dev")}`)).body.user).toMatchObject(expected);
    const { realm_users } = (await caller.post("/register", { fetch_event_types: ["realm_user"] })).body;
    expect(devIn(realm_users)).toMatchObject(expected);
  });

  test("is always shown to the person", async () => {
    const expected = { email: level === "everyone" ? real : dummy, delivery_email: real };
    const dev = harness.as("dev");
    expect((await dev.get("/users/me")).body).toMatchObject(expected);
    expect(devIn((await dev.get("/users")).body.members)).toMatchObject(expected);
    const snapshot = (await dev.post("/register", { fetch_event_types: ["realm_user"] })).body;
    expect(snapshot).toMatchObject(expected);
    expect(devIn(snapshot.realm_users)).toMatchObject(expected);
  });

  test.each(readers)("finds the person only for a reader who sees it: %s", async (reader) => {
    const sees = readersOf[level].includes(reader);
    expect((await harness.as(reader).get(`/users/${real}`)).status).toBe(sees ? 200 : 400);
    expect((await harness.as(reader).get(`/users/${dummy}`)).status).toBe(200);
    const message = { type: "direct", to: real, content: "Hello" };
    expect((await harness.as(reader).post("/messages", message)).status).toBe(sees ? 200 : 400);
    const narrow = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["sender", real]] };
    expect((await harness.as(reader).get("/messages", narrow)).status).toBe(sees ? 200 : 400);
  });
});

test("the person signs in with the real address, and calls with either", async () => {
  await hide("nobody");
  const { apiKey } = harness.user("dev");
  for (const email of [real, dummy, dummy.toUpperCase()]) {
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const answer = await harness.app.inject({
      url: "/api/v1/users/me",
      headers: { host: HOST, authorization },
    });
    expect(answer.statusCode, email).toBe(200);
  }
  const authorization = `Basic ${Buffer.from(`user${idOf("ada")}@${HOST}:${apiKey}`).toString("base64")}`;
  const answer = await harness.app.inject({
    url: "/api/v1/users/me",
    headers: { host: HOST, authorization },
  });
  expect(answer.statusCode).toBe(401);
});

/** Whether pictures are made from addresses. */
const useGravatar = (is: boolean) =>
  expectSuccess(harness.as("ada").patch("/realm", { default_avatar_source: is ? "G" : "J" }));

describe("a hidden address is in nothing that others receive", () => {
  beforeEach(() => hide("nobody"));

  /** What the reader's client receives while something happens. */
  async function heardBy(reader: CastName, params: Record<string, unknown>, action: () => Promise<unknown>) {
    const client = await listen(harness.as(reader), { client_gravatar: false, ...params });
    await action();
    const heard = await client.heard();
    expect(heard).not.toEqual([]);
    return JSON.stringify(heard);
  }

  const say = (message: Record<string, unknown>) =>
    expectSuccess(harness.as("dev").post("/messages", { content: "Soup", topic: "lunch", ...message }));
  const inLounge = { type: "channel", to: "lounge" };

  test("a message in a channel", async () => {
    const heard = await heardBy("elin", { event_types: ["message"] }, () => say(inLounge));
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
    const asked = { anchor: "newest", num_before: 5, num_after: 0, client_gravatar: false };
    const { messages } = (await harness.as("elin").get("/messages", asked)).body;
    expect(JSON.stringify(messages)).not.toContain(real);
    expect(messages.at(-1).sender_email).toBe(dummy);
  });

  test("a direct message", async () => {
    const direct = { type: "direct", to: [idOf("elin")], topic: undefined };
    const heard = await heardBy("elin", { event_types: ["message"] }, () => say(direct));
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
  });

  test("a picture: it is not made from the address, even by the client", async () => {
    await useGravatar(true);
    const pictures = new Set<string>();
    for (const client_gravatar of [true, false]) {
      const { user } = (await harness.as("ada").get(`/users/${idOf("dev")}`, { client_gravatar })).body;
      pictures.add(user.avatar_url);
    }
    await hide("everyone");
    const { user } = (await harness.as("ada").get(`/users/${idOf("dev")}`, { client_gravatar: false })).body;
    expect(pictures.size).toBe(1);
    expect([...pictures][0]).toMatch(/^https:/);
    expect(pictures.has(user.avatar_url)).toBe(false);
    await useGravatar(false);
  });

  test("a reaction", async () => {
    const { id } = await say(inLounge);
    const heard = await heardBy("elin", { event_types: ["reaction"] }, () =>
      expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "heart" })),
    );
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
  });

  test("typing", async () => {
    const heard = await heardBy("elin", { event_types: ["typing"] }, () =>
      expectSuccess(harness.as("dev").post("/typing", { op: "start", to: [idOf("elin")] })),
    );
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
  });

  test("presence, by its event, in the list of everybody, and by asking for the address", async () => {
    const heard = await heardBy("elin", { event_types: ["presence"] }, () =>
      expectSuccess(harness.as("dev").post("/users/me/presence", { status: "active" })),
    );
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
    const { presences } = await expectSuccess(harness.as("elin").get("/realm/presence"));
    expect(Object.keys(presences)).toContain(dummy);
    expect(Object.keys(presences)).not.toContain(real);
    expect(await refusal(harness.as("elin").get(`/users/${real}/presence`))).toBe("No such user");
    await expectSuccess(harness.as("elin").get(`/users/${dummy}/presence`));
  });

  test("another time zone", async () => {
    const heard = await heardBy("elin", { event_types: ["realm_user"] }, () =>
      expectSuccess(harness.as("dev").patch("/settings", { timezone: "Europe/Oslo" })),
    );
    expect(heard).toContain(dummy);
    expect(heard).not.toContain(real);
  });

  test("the refusal of a message to a deactivated person", async () => {
    await hide("nobody", "cleo");
    await expectSuccess(harness.as("ada").delete(`/users/${idOf("cleo")}`));
    const message = { type: "direct", to: [idOf("cleo")], content: "Hello" };
    expect(await refusal(harness.as("elin").post("/messages", message))).not.toContain("cleo@demo.test");
    await expectSuccess(harness.as("ada").post(`/users/${idOf("cleo")}/reactivate`));
    await hide("everyone", "cleo");
  });

  test("subscribing by the address is refused as for nobody's", async () => {
    const add = (address: string) =>
      harness
        .as("elin")
        .post("/users/me/subscriptions", { subscriptions: [{ name: "lounge" }], principals: [address] });
    const [hidden, missing] = [await add(real), await add("no-such@demo.test")];
    expect([hidden.status, hidden.body]).toEqual([400, missing.body]);
    expect((await add(dummy)).status).toBe(200);
  });

  test("a queue's narrow does not confirm an address", async () => {
    const client = await listen(harness.as("elin"), { event_types: ["message"], narrow: [["sender", real]] });
    await say(inLounge);
    expect(await client.heard()).toEqual([]);
  });

  test("an event from before the address was hidden, when a client reads it late", async () => {
    await hide("everyone");
    const client = await listen(harness.as("elin"), { event_types: ["realm_user"] });
    await expectSuccess(harness.as("dev").patch("/settings", { timezone: "Europe/Rome" }));
    await hide("nobody");
    const queue = queuesOf(harness.state).byId.get(client.queueId);
    // The queue forgets its events, as one whose client was away for long, and reads them from the log.
    if (queue) queue.yield();
    const heard = JSON.stringify(await client.heard());
    expect(heard).toContain("Europe/Rome");
    expect(heard).not.toContain(real);
  });
});

describe("clients learn", () => {
  const personOf = (events: { person: unknown }[]) => events.map(({ person }) => person);

  test("of an address that is hidden, and of one that is shown again", async () => {
    await useGravatar(true);
    const client = await listen(harness.as("gus"), { event_types: ["realm_user"], client_gravatar: true });
    const user_id = idOf("dev");
    await hide("members");
    expect(personOf(await client.heard())).toEqual([
      { user_id, new_email: dummy },
      expect.objectContaining({ user_id, avatar_url: expect.stringMatching(/^https:/) }),
      { user_id, delivery_email: null },
    ]);
    await hide("everyone");
    expect(personOf(await client.heard())).toEqual([
      { user_id, new_email: real },
      expect.objectContaining({ user_id, avatar_url: null }),
      { user_id, delivery_email: real },
    ]);
    await useGravatar(false);
  });

  test("only if it changes what they see", async () => {
    await hide("members");
    const [ben, elin, gus] = await Promise.all(
      (["ben", "elin", "gus"] as const).map((name) =>
        listen(harness.as(name), { event_types: ["realm_user"] }),
      ),
    );
    await hide("administrators");
    expect(await ben?.heard()).toEqual([]);
    expect(personOf((await elin?.heard()) ?? [])).toEqual([{ user_id: idOf("dev"), delivery_email: null }]);
    expect(await gus?.heard()).toEqual([]);
  });

  test("of the addresses that another role shows or hides", async () => {
    await hide("moderators");
    const client = await listen(harness.as("elin"), { event_types: ["realm_user"] });
    await changeRole("elin", roles.moderator);
    const role = (value: number) => ({ user_id: idOf("elin"), role: value });
    expect(personOf(await client.heard())).toEqual([
      role(roles.moderator),
      { user_id: idOf("dev"), delivery_email: real },
    ]);
    await changeRole("elin", roles.member);
    expect(personOf(await client.heard())).toEqual([
      role(roles.member),
      { user_id: idOf("dev"), delivery_email: null },
    ]);
  });
});

test("the address of a bot is for everyone", async () => {
  await hide("nobody", "echo");
  const { user } = (await harness.as("gus").get(`/users/${idOf("echo")}`)).body;
  expect(user).toMatchObject({ email: "echo-bot@demo.test", delivery_email: "echo-bot@demo.test" });
});
