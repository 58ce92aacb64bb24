import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { api, build, call, type Json, signIn, start, temporaryDirectory, usedDirectory } from "./parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A program of its own, since the library's loop has no end. */
const follow = `
require("zulip-js")({ zuliprc: process.argv[1] }).then((client) =>
  client.callOnEachEvent((event) => event.type === "message" && console.log(JSON.stringify(event)), ["message"]));
`;

const zulip: Json = createRequire(import.meta.url)("zulip-js");

beforeAll(build);

test("an unmodified zulip-js signs in, subscribes, sends, receives and flags", async () => {
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const dev = await zulip({ username: "dev@demo.test", password: "demo-password", realm: server.url });
  const elin = await zulip({ username: "elin@demo.test", password: "demo-password", realm: server.url });
  expect(dev.config.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);

  expect((await dev.users.me.getProfile()).full_name).toBe("Dev Rao");
  expect((await dev.server.settings()).realm_name).toBe("Demo");
  expect((await dev.users.retrieve()).members).toHaveLength(7);
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
  // The typist hears of the typing, too.
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
  // Before it stands the notice that the channel was made.
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
  // Nothing says when its queue is there, so it is written to until it answers.
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
