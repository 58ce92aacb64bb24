import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { useZulipJs } from "../harness/zulip-js.ts";
import { api, build, call, type Json, signIn, start, temporaryDirectory, usedDirectory } from "./parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A program of its own, since the library's loop has no end. */
const follow = `
require("zulip-js")({ zuliprc: process.argv[1] }).then((client) =>
  client.callOnEachEvent((event) => event.type === "message" && console.log(JSON.stringify(event)), ["message"]));
`;

const zulip = useZulipJs();

beforeAll(build);

test("an unmodified zulip-js signs in, subscribes, sends, receives and flags", async () => {
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const dev = await zulip({ username: "dev@demo.test", password: "demo-password", realm: server.url });
  const elin = await zulip({ username: "elin@demo.test", password: "demo-password", realm: server.url });
  expect(dev.config.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);

  expect((await dev.users.me.getProfile()).full_name).toBe("Dev Rao");
  expect((await dev.server.settings()).realm_name).toBe("Demo");
  const names = (await dev.users.retrieve()).members.map((each: Json) => each.full_name);
  expect(names).toEqual(expect.arrayContaining(["Ada Osei", "Dev Rao", "Elin Berg"]));
  const name = "zulip-js & friends";
  for (const client of [dev, elin]) {
    const answer = await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name }]) });
    expect(answer).toMatchObject({ result: "success" });
  }
  const { subscriptions } = await dev.streams.subscriptions.retrieve();
  const { stream_id: id } = subscriptions.find((each: Json) => each.name === name);

  const queue = await elin.queues.register({ event_types: ["message", "typing", "update_message_flags"] });
  expect(queue.result).toBe("success");
  const heard = elin.events.retrieve({ queue_id: queue.queue_id, last_event_id: queue.last_event_id });
  const sent = await dev.messages.send({
    to: name,
    type: "stream",
    subject: "greetings",
    content: "Hello **there**",
  });
  expect(sent.result).toBe("success");
  const { events } = await heard;
  expect(events[0].message).toMatchObject({
    id: sent.id,
    stream_id: id,
    subject: "greetings",
    sender_email: "dev@demo.test",
  });

  expect(await elin.typing.send({ to: [events[0].message.sender_id], op: "start" })).toMatchObject({
    result: "success",
  });
  const flagged = await elin.messages.flags.add({ messages: [sent.id], flag: "starred" });
  expect(flagged).toMatchObject({ result: "success", messages: [sent.id] });
  const starred = await elin.events.retrieve({ queue_id: queue.queue_id, last_event_id: events[0].id });
  // The typist receives the typing event, too.
  expect(starred.events.map((each: Json) => each.type)).toEqual(["typing", "update_message_flags"]);
  expect(starred.events[1]).toMatchObject({
    type: "update_message_flags",
    op: "add",
    flag: "starred",
    messages: [sent.id],
  });
  const { messages } = await elin.messages.retrieve({
    anchor: sent.id,
    num_before: 5,
    num_after: 5,
    narrow: [{ operator: "stream", operand: name }],
  });
  // The first message is the notice that the channel was made.
  expect(messages.map((each: Json) => [each.subject, each.flags.includes("starred")])).toEqual([
    ["channel events", false],
    ["greetings", true],
  ]);
  expect((await dev.streams.topics.retrieve({ stream_id: id })).topics).toEqual([
    { name: "greetings", max_id: sent.id },
    { name: "channel events", max_id: expect.any(Number) },
  ]);

  const direct = await elin.messages.send({ to: "dev@demo.test", type: "private", content: "Hi" });
  expect(direct.result).toBe("success");
  const removed = await elin.messages.flags.remove({ messages: [sent.id], flag: "starred" });
  expect(removed.result).toBe("success");
  expect(await elin.queues.deregister({ queue_id: queue.queue_id })).toMatchObject({ result: "success" });
  await server.stop();
});

test("an unmodified zulip-js takes part in the whole life of a message", async () => {
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
  const enter = (name: string) =>
    zulip({ username: `${name}@demo.test`, password: "demo-password", realm: server.url });
  const [ada, dev]: [Json, Json] = [await enter("ada"), await enter("dev")];
  const succeeded = async (answer: Promise<Json>): Promise<Json> => {
    const body = await answer;
    expect(body, JSON.stringify(body)).toMatchObject({ result: "success" });
    return body;
  };
  const queue = await succeeded(dev.queues.register({ apply_markdown: "true" }));
  let last = queue.last_event_id;
  /** The next events that dev receives, once one of them has this type. */
  const heard = async (type: string): Promise<Json[]> => {
    const all: Json[] = [];
    while (!all.some((event) => event.type === type)) {
      const { events } = await succeeded(
        dev.events.retrieve({ queue_id: queue.queue_id, last_event_id: last }),
      );
      last = events.at(-1).id;
      all.push(...events);
    }
    return all.filter((event) => event.type === type);
  };
  const send = (content: string) =>
    succeeded(ada.messages.send({ to: "general", type: "stream", topic: "soup", content }));
  const read = async (id: number): Promise<Json> =>
    (await succeeded(dev.messages.getById({ message_id: id }))).message;

  const { id } = await send("Hello *there*");
  expect(await heard("message")).toMatchObject([
    { message: { id, subject: "soup", content: "<p>Hello <em>there</em></p>" }, flags: [] },
  ]);

  await succeeded(ada.messages.update({ message_id: id, content: "Hello **again**" }));
  expect(await heard("update_message")).toMatchObject([
    {
      message_id: id,
      orig_content: "Hello *there*",
      rendered_content: "<p>Hello <strong>again</strong></p>",
    },
  ]);
  await succeeded(ada.messages.update({ message_id: id, topic: "stew" }));
  expect(await heard("update_message")).toMatchObject([
    { message_ids: [id], orig_subject: "soup", subject: "stew", propagate_mode: "change_one" },
  ]);
  const history = await succeeded(dev.messages.getHistoryById({ message_id: id }));
  expect(history.message_history.map(({ content, topic }: Json) => [content, topic])).toEqual([
    ["Hello *there*", "soup"],
    ["Hello **again**", "soup"],
    ["Hello **again**", "stew"],
  ]);

  const octopus = { emoji_name: "octopus", emoji_code: "1f419", reaction_type: "unicode_emoji" };
  const me = (await succeeded(dev.users.me.getProfile())).user_id;
  await succeeded(dev.reactions.add({ message_id: id, emoji_name: "octopus" }));
  expect(await heard("reaction")).toMatchObject([{ op: "add", message_id: id, user_id: me, ...octopus }]);
  expect((await read(id)).reactions).toEqual([{ ...octopus, user_id: me }]);
  await succeeded(dev.reactions.remove({ message_id: id, emoji_name: "octopus" }));
  expect(await heard("reaction")).toMatchObject([{ op: "remove", message_id: id, ...octopus }]);

  for (const flag of ["starred", "read"]) {
    await succeeded(dev.messages.flags.add({ messages: [id], flag }));
    expect(await heard("update_message_flags")).toMatchObject([{ op: "add", flag, messages: [id] }]);
  }
  expect((await read(id)).flags.sort()).toEqual(["read", "starred"]);

  const poll = await send("/poll Soup?\nleek\ntomato");
  const asked = { question: "Soup?", options: ["leek", "tomato"] };
  const [told] = await heard("message");
  const first = JSON.parse(told.message.submessages[0].content);
  expect(first).toEqual({ widget_type: "poll", extra_data: asked });
  const content = JSON.stringify({ type: "vote", key: "canned,0", vote: 1 });
  const vote = { message_id: poll.id, msg_type: "widget", content };
  await succeeded(dev.callEndpoint("/submessage", "POST", vote));
  expect(await heard("submessage")).toMatchObject([{ ...vote, sender_id: me }]);
  expect((await read(poll.id)).submessages).toMatchObject([{ msg_type: "widget" }, { content }]);

  await succeeded(ada.messages.deleteById({ message_id: id }));
  expect(await heard("delete_message")).toMatchObject([
    { message_id: id, message_type: "stream", topic: "stew" },
  ]);
  expect(await dev.messages.getById({ message_id: id })).toMatchObject({
    result: "error",
    msg: "Invalid message(s)",
  });
  await server.stop();
});

test("an unmodified zulip-js follows all events from a zuliprc file", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const server = await start(["demo"], { env });
  const { stdout } = await call(["api-key", "cleo@demo.test"], { env });
  const zuliprc = path.join(temporaryDirectory(), "zuliprc");
  writeFileSync(zuliprc, `[api]\nemail=cleo@demo.test\nkey=${stdout.trim()}\nsite=${server.url}\n`);
  const follower = spawn(process.execPath, ["-e", follow, zuliprc], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    follower.kill();
  });
  const heard = once(createInterface({ input: follower.stdout }), "line");
  const key = await signIn(server, "ben@demo.test");
  // Nothing shows when its queue exists, so messages are sent until it answers.
  const writing = setInterval(() => {
    api(server, "POST", "/messages", { type: "direct", to: ["cleo@demo.test"], content: "Ping" }, key).catch(
      () => {},
    );
  }, 200);
  const [line] = await heard;
  clearInterval(writing);
  expect(JSON.parse(line).message).toMatchObject({ content: "Ping", sender_email: "ben@demo.test" });
  await server.stop();
});
