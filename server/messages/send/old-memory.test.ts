import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { openServices } from "../../app.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribe, unsubscribe } from "../../channels/subscriptions/subscribe.ts";
import { type User, users } from "../../people/user.ts";
import { changeContent } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { createReminder } from "../../personal/reminders/actions.ts";
import { scheduleMessage } from "../../personal/scheduled-messages/actions.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import type { SendRequest } from "./addressee.ts";
import { prepareText, sendMessage } from "./send.ts";

/** A node that learns of no change by itself, as one whose messages of the bus are late. */
let harness: Harness;
let deaf: Services;
let channel: Channel;
let count = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  const { config, database } = harness.services;
  deaf = await openServices(config, pino({ level: "silent" }), database.connection);
});
afterAll(async () => {
  await deaf.database.close();
  await harness.close();
});

const user = (name: CastName) => harness.user(name).user;

/** The viewer at the deaf node, whose memory is as of now and gets old. */
async function atDeafNode(name: CastName): Promise<Viewer> {
  const state = await deaf.organizations.byId(harness.state.organizationId);
  await state.catchUp();
  const now = state.get(users).byId.get(user(name).id) as User;
  return { ...harness.user(name).viewer, state, user: now };
}

async function makeChannel(subscribed: CastName[]): Promise<void> {
  channel = await harness.channel(`leads ${++count}`, subscribed, { isPrivate: true });
}

const request = (content: string): SendRequest => ({
  to: { kind: "channel", channel: { id: channel.id }, topic: "x" },
  content,
  localEcho: null,
  readBySender: null,
});

const say = (content: string) => sendMessage(harness.user("ada").viewer, request(content));
const join = (name: CastName) =>
  runStateChange(harness.state, (tx) => subscribe(tx, [channel], [user(name)]));
const leave = (name: CastName) =>
  runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], [user(name)]));

async function texts(): Promise<string[]> {
  const ask = { anchor: "newest", num_before: 9, num_after: 0, apply_markdown: false };
  const { body } = await harness.as("ada").get("/messages", { ...ask, narrow: [["channel", channel.name]] });
  return body.messages.map(({ content }: { content: string }) => content);
}

async function schedule(viewer: Viewer, content: string): Promise<number> {
  const text = await prepareText(viewer, content);
  const request = { type: "channel", to: channel.id, topic: "x", readBySender: undefined };
  return changeContent(viewer, (tx) =>
    scheduleMessage(tx, { ...request, deliveryTimestamp: tomorrow() }, text),
  );
}

const remind = (viewer: Viewer, messageId: number) =>
  changeContent(viewer, (tx) => createReminder(tx, { messageId, note: "", deliveryTimestamp: tomorrow() }));

describe("on a node that has not heard that somebody has left", () => {
  test.each([
    ["plain", "Still here?"],
    ["to the topic's people", "@**topic** Still here?"],
    ["with a poll", "/poll Still here?"],
  ])("a message %s is refused", async (_, content) => {
    await makeChannel(["ada", "dev"]);
    await say("First.");
    const viewer = await atDeafNode("dev");
    await leave("dev");
    await expect(sendMessage(viewer, request(content))).rejects.toThrow(/Not authorized/);
    expect(await texts()).toEqual(["First."]);
  });

  test.each([
    ["plain", "Later."],
    ["to the topic's people", "@**topic** Later."],
  ])("a message for later, %s, is refused, and so is a reminder", async (_, content) => {
    await makeChannel(["ada", "dev"]);
    const id = await say("First.");
    const viewer = await atDeafNode("dev");
    await leave("dev");
    await expect(schedule(viewer, content)).rejects.toThrow(/does not exist/);
    const other = await atDeafNode("elin");
    await expect(remind(other, id)).rejects.toThrow(/Invalid message/);
  });
});

describe("on a node that has not heard that somebody has come", () => {
  test("a message is sent, and mentions the people of the topic", async () => {
    await makeChannel(["ada"]);
    await say("First.");
    const viewer = await atDeafNode("dev");
    await join("dev");
    await sendMessage(viewer, request("@**topic** Hello."));
    expect(await texts()).toEqual(["First.", "@**topic** Hello."]);
  });

  test("a message for later is kept, and a reminder", async () => {
    await makeChannel(["ada"]);
    const viewer = await atDeafNode("dev");
    await join("dev");
    expect(await schedule(viewer, "Later.")).toBeGreaterThan(0);
    await leave("dev");
    const again = await atDeafNode("dev");
    await join("dev");
    const id = await say("Second.");
    expect(await remind(again, id)).toBeGreaterThan(0);
  });
});
