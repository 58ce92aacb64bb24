import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { eventNames, everybody, expectSilence, followAll, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus"])).id;
});
afterAll(() => harness.close());

async function type(name: CastName, params: Record<string, unknown>): Promise<void> {
  const { status, body } = await harness.as(name).post("/typing", params);
  expect(status, JSON.stringify(body)).toBe(200);
}

const inKitchen = (op: string) => type("dev", { type: "channel", op, stream_id: kitchen, topic: "lunch" });
const directly = (op: string, to: CastName[]) =>
  type("dev", { op, to: to.map((name) => harness.user(name).id) });

test("subscribers see who writes in a channel until they stop", async () => {
  const [follower] = await startAll(harness, ["ada"], { forms: [forms.modern] });
  const place = { kind: "channel", channelId: kitchen, topic: "lunch" } as const;
  await inKitchen("start");
  await follower?.catchUp();
  expect(follower?.model.typing.in(place)).toEqual([harness.user("dev").id]);
  await inKitchen("stop");
  await follower?.catchUp();
  expect(follower?.model.typing.in(place)).toEqual([]);
});

test("writing in a channel reaches only subscribers, and leaves the models right", () =>
  expectSilence(harness, { hears: "gus", silent: ["cleo", "elin", "echo", "zed"] }, () =>
    inKitchen("start"),
  ));

test("clients without the capability get no typing events of channels", async () => {
  const heard = await followAll(harness, ["ada"], () => inKitchen("start"), { forms: [forms.plain] });
  expect(heard.ada).toEqual([]);
});

test("writing a direct message reaches the people of the conversation", async () => {
  const heard = await followAll(harness, everybody, () => directly("start", ["ada", "gus"]));
  expect(eventNames(heard.ada)).toEqual(["typing/start"]);
  expect(eventNames(heard.gus)).toEqual(["typing/start"]);
  for (const name of ["ben", "cleo", "elin", "echo", "zed"]) expect(heard[name], name).toEqual([]);
});

async function edit(name: CastName, id: number, op: "start" | "stop"): Promise<void> {
  const { status, body } = await harness.as(name).post(`/messages/${id}/typing`, { op });
  expect(status, JSON.stringify(body)).toBe(200);
}

async function say(name: CastName, to: unknown, type = "channel"): Promise<number> {
  const { body } = await harness.as(name).post("/messages", { type, to, topic: "", content: "Soup today?" });
  return body.id;
}

test("people who can read a message see who edits it until they stop or save", async () => {
  const id = await say("dev", "kitchen");
  const people = await startAll(harness, everybody);
  const gus = people.find(({ viewer }) => viewer === "gus");
  const place = { kind: "edit", messageId: id } as const;
  for (const end of [
    () => edit("dev", id, "stop"),
    () => harness.as("dev").patch(`/messages/${id}`, { content: "Stew today?" }),
  ]) {
    await edit("dev", id, "start");
    for (const follower of people) await follower.catchUp();
    expect(gus?.model.typing.in(place)).toEqual([harness.user("dev").id]);
    await end();
    for (const follower of people) await follower.catchUp();
    expect(gus?.model.typing.in(place)).toEqual([]);
  }
  for (const follower of people) await follower.compare();
});

test("editing a channel's message reaches only people who can read it, with channel and topic", async () => {
  const id = await say("dev", "kitchen");
  await expectSilence(harness, { hears: "gus", silent: ["cleo", "elin", "echo", "zed"] }, () =>
    edit("dev", id, "start"),
  );
  const heard = await followAll(harness, ["ada"], () => edit("dev", id, "stop"));
  const told = {
    id: expect.any(Number),
    type: "typing_edit_message",
    op: "stop",
    sender_id: harness.user("dev").id,
    message_id: id,
  };
  const recipient = { type: "channel", channel_id: kitchen, topic: "" };
  expect(heard.ada).toEqual([{ ...told, recipient }]);
  const plain = await followAll(harness, ["ada"], () => edit("dev", id, "stop"), { forms: [forms.plain] });
  expect(plain.ada).toEqual([{ ...told, recipient: { ...recipient, topic: "general chat" } }]);
});

test("editing a direct message reaches only the people of the conversation", async () => {
  const id = await say("dev", [harness.user("gus").id], "direct");
  await expectSilence(harness, { hears: "gus", silent: ["ada", "elin", "zed"] }, () =>
    edit("dev", id, "start"),
  );
  const heard = await followAll(harness, ["dev"], () => edit("dev", id, "start"));
  const people = [harness.user("dev").id, harness.user("gus").id].sort((a, b) => a - b);
  expect(heard.dev).toMatchObject([{ recipient: { type: "direct", user_ids: people } }]);
});

test("only people who may edit a message can announce that they do", async () => {
  const id = await say("dev", "kitchen");
  const start = { op: "start" };
  expect((await harness.as("ada").post(`/messages/${id}/typing`, start)).body.msg).toBe(
    "You don't have permission to edit this message",
  );
  expect((await harness.as("elin").post("/messages/99999999/typing", start)).body.msg).toBe(
    "Invalid message(s)",
  );
  const poll = (
    await harness
      .as("dev")
      .post("/messages", { type: "channel", to: "kitchen", topic: "x", content: "/poll Soup?" })
  ).body.id;
  expect((await harness.as("dev").post(`/messages/${poll}/typing`, start)).status).toBe(400);
  await harness.as("ada").patch("/realm", { message_content_edit_limit_seconds: 60 });
  await harness.state.database.query(
    sql`update messages set sent_at = sent_at - interval '2 minutes' where id = ${id}`,
  );
  expect((await harness.as("dev").post(`/messages/${id}/typing`, start)).body.msg).toBe(
    "The time limit for editing this message has passed",
  );
  await harness.as("ada").patch("/realm", { allow_message_editing: false });
  expect((await harness.as("dev").post(`/messages/${id}/typing`, start)).body.msg).toBe(
    "Your organization has turned off message editing",
  );
  await harness
    .as("ada")
    .patch("/realm", { allow_message_editing: true, message_content_edit_limit_seconds: "unlimited" });
});

test("editing is not announced by people who turned sending off, nor to people who turned receiving off", async () => {
  const [id, direct] = [await say("dev", "kitchen"), await say("dev", [harness.user("gus").id], "direct")];
  const start = { op: "start" };
  await harness.as("gus").patch("/settings", { receives_typing_notifications: false });
  await expectSilence(harness, { hears: "ada", silent: ["gus"] }, () => edit("dev", id, "start"));
  const off = { send_stream_typing_notifications: false, send_private_typing_notifications: false };
  await harness.as("dev").patch("/settings", off);
  const inChannel = await harness.as("dev").post(`/messages/${id}/typing`, start);
  expect(inChannel.body.msg).toBe("User has disabled typing notifications for channel messages");
  const toPerson = await harness.as("dev").post(`/messages/${direct}/typing`, start);
  expect(toPerson.body.msg).toBe("User has disabled typing notifications for direct messages");
});
