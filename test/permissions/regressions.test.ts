// One test for each class of mistake that other chat servers made and that could happen here. The numbers are
// those of the list that the mistakes come from. Numbers 6 and 7, which call every endpoint, are in
// foreign-ids.test.ts.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { subscribe, unsubscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { createUser, deactivateUser } from "../../server/people/actions.ts";
import { hashPassword } from "../../server/platform/crypto/passwords.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { type Answer, type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { listen } from "../harness/listener.ts";

let harness: Harness;
let channel: Channel;
let count = 0;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
}, 60_000);
afterAll(() => harness.close());

/** Dev is in it, nobody else but ada. */
async function open(options: Record<string, boolean> = {}): Promise<void> {
  channel = await harness.channel(`kitchen ${++count}`, ["ada", "dev"], options);
}

async function say(name: CastName, content: string, topic = "lunch"): Promise<number> {
  const { status, body } = await harness
    .as(name)
    .post("/messages", { type: "channel", to: channel.id, topic, content });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function join(name: CastName): Promise<void> {
  await runStateChange(harness.state, (tx) => subscribe(tx, [channel], [harness.user(name).user]));
}

async function leave(name: CastName): Promise<void> {
  await runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], [harness.user(name).user]));
}

/** The events that a person gets, in every form of queue that they may register, while the action runs. */
async function heard(name: CastName, verb: () => Promise<unknown>): Promise<string> {
  const listeners = [
    await listen(harness.as(name)),
    await listen(harness.as(name), { narrow: [["channel", channel.name]] }),
  ];
  await verb();
  const events = await Promise.all(listeners.map((listener) => listener.heard()));
  return JSON.stringify(events);
}

function expectRefused({ status, body }: Answer, what: string): void {
  expect({ what, status, result: body.result }).toEqual({ what, status: 400, result: "error" });
}

// 1
describe("a public channel that a guest is not in", () => {
  beforeEach(() => open());

  test("sends the guest no new message before they are subscribed", async () => {
    const outside = await heard("gus", () => say("dev", "soup for members"));
    expect(outside).not.toContain("soup for members");
    await join("gus");
    expect(await heard("gus", () => say("dev", "soup for all"))).toContain("soup for all");
  });

  test("can't be included by a guest's queue for all public channels", async () => {
    expectRefused(
      await harness.as("gus").post("/register", { all_public_streams: true }),
      "all public channels",
    );
  });

  test("can't be named by the guest to fetch, list or count its messages", async () => {
    const words = `soup for those in ${channel.name}`;
    const id = await say("dev", words);
    const narrow = [{ operator: "channel", operand: channel.id }];
    const window = { anchor: "newest", num_before: 10, num_after: 0 };
    expectRefused(await harness.as("gus").get("/messages", { ...window, narrow }), "a narrow");
    expectRefused(await harness.as("gus").get(`/messages/${id}`), "a message");
    expectRefused(await harness.as("gus").get(`/users/me/${channel.id}/topics`), "topics");
    for (const operand of ["public", "all"]) {
      const all = [{ operator: "channels", operand }];
      const { body } = await harness.as("gus").get("/messages", { ...window, narrow: all });
      expect(JSON.stringify(body)).not.toContain(words);
    }
  });
});

// 2
test("an edit sends a message's text to nobody who may not read it", async () => {
  await open({ isPrivate: true });
  const id = await say("dev", "the old secret");
  await join("elin");
  const edit = (content: string) => harness.as("dev").patch(`/messages/${id}`, { content });
  const late = await heard("elin", () => edit("the new secret"));
  expect(late).not.toMatch(/secret|update_message/);
  expect(await heard("ada", () => edit("the newest secret"))).toContain("the newest secret");
});

// 3
test("a message that was moved to a private channel can't be read by any request", async () => {
  await open();
  const { id: oldHome } = channel;
  await join("elin");
  const id = await say("dev", "a secret by mistake");
  await harness.as("elin").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const hidden = await harness.channel(`hidden ${count}`, ["ada", "dev"], { isPrivate: true });
  const moving = await heard("elin", async () => {
    const { status, body } = await harness.as("ada").patch(`/messages/${id}`, { stream_id: hidden.id });
    expect(status, JSON.stringify(body)).toBe(200);
  });
  expect(moving).toContain("delete_message");
  expect(moving).not.toContain(hidden.name);
  expectRefused(await harness.as("elin").get(`/messages/${id}`), "the message");
  expectRefused(await harness.as("elin").get(`/messages/${id}/history`), "its history");
  const narrows = [
    [{ operator: "channel", operand: oldHome }],
    [{ operator: "id", operand: id }],
    [{ operator: "is", operand: "starred" }],
    [{ operator: "sender", operand: harness.user("dev").id }],
    [],
  ];
  for (const narrow of narrows) {
    const { status, body } = await harness
      .as("elin")
      .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(JSON.stringify(body)).not.toContain("a secret by mistake");
  }
  const { body: named } = await harness.as("elin").get("/messages", { message_ids: [id] });
  expect(named.messages).toEqual([]);
  const { body: value } = await harness.as("elin").post("/register", {});
  expect(value.starred_messages).not.toContain(id);
  expect(JSON.stringify(value.unread_msgs)).not.toContain(String(id));
});

// 5
test("a user who left a private channel can do nothing there, even to their own messages", async () => {
  await open({ isPrivate: true, isHistoryShared: true });
  const own = await say("dev", "my own");
  const other = await say("ada", "another's");
  await leave("dev");
  const by = harness.as("dev");
  const { id } = channel;
  const attempts: Record<string, Promise<Answer>> = {
    "reading one's own": by.get(`/messages/${own}`),
    "reading another's": by.get(`/messages/${other}`),
    editing: by.patch(`/messages/${own}`, { content: "changed" }),
    moving: by.patch(`/messages/${own}`, { topic: "dinner" }),
    deleting: by.delete(`/messages/${own}`),
    "the history": by.get(`/messages/${own}/history`),
    reacting: by.post(`/messages/${other}/reactions`, { emoji_name: "octopus" }),
    starring: by.post("/messages/flags", { messages: [own], op: "add", flag: "starred" }),
    sending: by.post("/messages", { type: "channel", to: id, topic: "lunch", content: "still here" }),
    typing: by.post("/typing", { type: "channel", op: "start", stream_id: id, topic: "lunch" }),
    "the topics": by.get(`/users/me/${id}/topics`),
    "the channel": by.get(`/streams/${id}`),
    "its subscribers": by.get(`/streams/${id}/members`),
    "who else is in it": by.get(`/users/${harness.user("ada").id}/subscriptions/${id}`),
    "its description": by.patch(`/streams/${id}`, { description: "changed" }),
    coming: by.post("/users/me/subscriptions", { subscriptions: [{ name: channel.name }] }),
    bringing: by.post("/users/me/subscriptions", {
      subscriptions: [{ name: channel.name }],
      principals: [harness.user("elin").id],
    }),
    removing: by.delete("/users/me/subscriptions", {
      subscriptions: [channel.name],
      principals: [harness.user("ada").id],
    }),
  };
  for (const [what, attempt] of Object.entries(attempts)) expectRefused(await attempt, what);
  const { body } = await by.get("/messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: "sender", operand: "me" }],
  });
  expect(JSON.stringify(body)).not.toContain("my own");
  expect((await harness.as("ada").get(`/messages/${own}`)).body.message.content).toContain("my own");
});

// 10
test("HTML and scripts in names and texts are never rendered", async () => {
  const hostile = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `[soup](javascript:alert(1))`,
    `![x](data:text/html,<script>alert(1)</script>)`,
    `<svg/onload=alert(1)>`,
    "`</code><script>alert(1)</script>`",
    "$$</span><script>alert(1)</script>$$",
    "```html\n</pre><script>alert(1)</script>\n```",
    "#**<b onmouseover=alert(1)>**",
    "@**<b onmouseover=alert(1)>**",
  ];
  const harm = /<script|<img[^>]*onerror|<svg[^>]*onload|href="javascript:|<b onmouseover|src="data:/i;
  await open();
  for (const text of hostile) {
    const id = await say("dev", text, text.replaceAll("\n", " ").slice(0, 60));
    const { body } = await harness.as("elin").get(`/messages/${id}`, { apply_markdown: true });
    expect(body.message.content, text).not.toMatch(harm);
    const { status } = await harness
      .as("ada")
      .patch(`/streams/${channel.id}`, { description: text.replaceAll("\n", " ") });
    expect(status).toBe(200);
    const { body: described } = await harness.as("elin").get(`/streams/${channel.id}`);
    expect(described.stream.rendered_description, text).not.toMatch(harm);
  }
  const name = `<img src=x onerror=alert(1)> ${++count}`;
  await harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name }] });
  const { headers } = await harness.as("ada").get("/streams");
  expect(headers).toMatchObject({
    "content-type": expect.stringContaining("application/json"),
    "x-content-type-options": "nosniff",
  });
});

// 13
describe("an object where a text is expected signs nobody in", () => {
  const smuggled: Record<string, [string, string]> = {
    "a JSON body": ["application/json", `{"username":{"$gt":""},"password":{"$ne":null}}`],
    "a JSON body with a true password": ["application/json", `{"username":"dev@demo.test","password":true}`],
    "names with brackets": ["application/x-www-form-urlencoded", "username=dev@demo.test&password[$ne]=x"],
    "the name twice": [
      "application/x-www-form-urlencoded",
      "username=dev@demo.test&username=ada@demo.test&password=x&password=",
    ],
    "JSON as the text": ["application/x-www-form-urlencoded", `username={"$gt":""}&password={"$ne":null}`],
  };
  test.each(Object.entries(smuggled))("%s", async (_, [type, payload]) => {
    for (const path of ["/fetch_api_key", "/dev_fetch_api_key"]) {
      // A development server asks for no password.
      if (path.includes("dev") && /username(=|":")dev@/.test(payload)) continue;
      const response = await harness.app.inject({
        method: "POST",
        url: `/api/v1${path}`,
        headers: { host: HOST, "content-type": type },
        payload,
      });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.statusCode).toBeLessThan(500);
      expect(response.body).not.toContain('api_key"');
    }
  });
});

// 14
test("a wrong password, an unknown address and a password of 50 kB get the same answer", async () => {
  const email = `person${++count}@demo.test`;
  const passwordHash = await hashPassword("the right one");
  const add = { email, fullName: "Person", role: roles.member, passwordHash };
  await runStateChange(harness.state, (tx) => createUser(tx, harness.services.keyring, add));
  const tryWith = (username: string, password: string) =>
    harness.nobody().post("/fetch_api_key", { username, password });
  const wrong = await tryWith(email, "the wrong one");
  expect(wrong.status).toBe(401);
  expect((await tryWith("who.is.that@demo.test", "the wrong one")).body).toEqual(wrong.body);
  expect((await tryWith(email, "x".repeat(50_000))).body).toEqual(wrong.body);
  expect((await tryWith(email, "the right one")).status).toBe(200);
});

// 15
test("deactivating a user ends their key and queues at once, and a held poll gets nothing more", async () => {
  await open();
  const email = `leaver${++count}@demo.test`;
  const leaver = await runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email,
      fullName: "Leaver",
      role: roles.member,
      passwordHash: null,
    }),
  );
  await runStateChange(harness.state, (tx) => subscribe(tx, [channel], [leaver]));
  const { body: key } = await harness.nobody().post("/dev_fetch_api_key", { username: email });
  const authorization = `Basic ${Buffer.from(`${email}:${key.api_key}`).toString("base64")}`;
  const headers = { host: HOST, authorization };
  const { queue_id, last_event_id } = (
    await harness.app.inject({ method: "POST", url: "/api/v1/register", headers })
  ).json();
  const url = `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`;
  const held = harness.app.inject({ method: "GET", url, headers });
  await expect.poll(() => queuesOf(harness.state).byId.get(queue_id)?.held).toBeDefined();
  await runStateChange(harness.state, (tx) => deactivateUser(tx, leaver));
  await say("dev", "after the goodbye");
  expect((await held).body).not.toContain("after the goodbye");
  for (const again of [url, "/api/v1/users/me"]) {
    const { statusCode } = await harness.app.inject({ method: "GET", url: again, headers });
    expect(statusCode).toBe(401);
  }
});

// API3: the fields of a person that others get, and what a visitor without an account gets.
describe("responses have only the intended fields", () => {
  const ofPerson = [
    ...[
      "user_id",
      "email",
      "delivery_email",
      "full_name",
      "date_joined",
      "is_active",
      "is_owner",
      "is_admin",
    ],
    ...["is_guest", "is_bot", "bot_type", "bot_owner_id", "role", "timezone", "avatar_url", "avatar_version"],
  ];

  test.each(["ada", "cleo", "dev", "gus", "echo"] as const)("in the list of people, for %s", async (name) => {
    const { body } = await harness.as(name).get("/users");
    for (const person of body.members) {
      expect(Object.keys(person).filter((field) => ![...ofPerson, "is_system_bot"].includes(field))).toEqual(
        [],
      );
    }
  });

  test("for a visitor without an account: no people, no messages, and only web-public channels", async () => {
    await open();
    await say("dev", "not for passers-by");
    const open1 = await harness.channel(`square ${++count}`, ["ada"], { isWebPublic: true });
    const { body } = await harness.nobody().post("/register", {});
    const text = JSON.stringify(body);
    expect(text).not.toContain("not for passers-by");
    for (const name of ["ada", "ben", "cleo", "dev", "elin", "gus"] as const) {
      expect(text).not.toContain(harness.user(name).email);
    }
    const names = [
      ...(body.streams ?? []),
      ...body.subscriptions,
      ...body.unsubscribed,
      ...body.never_subscribed,
    ];
    expect(names.map((each) => each.name)).toContain(open1.name);
    expect(names.filter((each) => !each.is_web_public)).toEqual([]);
    expect((body.realm_user_groups ?? []).flatMap((group: { members: number[] }) => group.members)).toEqual(
      [],
    );
  });
});
