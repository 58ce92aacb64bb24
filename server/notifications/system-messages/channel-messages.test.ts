import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { channels } from "../../channels/channel.ts";
import { createUser } from "../../people/actions.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { runStateChange } from "../../platform/log/change.ts";

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

const id = (name: CastName) => harness.user(name).id;
const botId = () => notificationBotOf(harness.state).id as number;

async function join(name: CastName, names: string[], more: Record<string, unknown> = {}) {
  const subscriptions = names.map((channel) => ({ name: channel }));
  const { status, body } = await harness.as(name).post("/users/me/subscriptions", { subscriptions, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

interface Read {
  sender_id: number;
  subject: string;
  content: string;
  flags: string[];
}

/** The messages that the viewer finds, oldest first. */
async function read(name: CastName, narrow: object[]): Promise<Read[]> {
  const { body } = await harness
    .as(name)
    .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false });
  return body.messages;
}

const inChannel = (name: CastName, channel: string) =>
  read(name, [{ operator: "channel", operand: channel }]);
const fromBot = (name: CastName) => read(name, [{ operator: "dm", operand: [botId()] }]);

describe("a new channel", () => {
  test("gets a message from the notification bot with its description, in the topic for such messages", async () => {
    const subscriptions = [{ name: fresh, description: "For `tools` and @**all**" }];
    await harness.as("dev").post("/users/me/subscriptions", { subscriptions });
    const [message, ...others] = await inChannel("dev", fresh);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      sender_id: botId(),
      subject: "channel events",
      content: `@_**Dev Rao|${id("dev")}** made this channel. It is public.\n\n\`\`\`quote\nFor \`tools\` and @**all**\n\`\`\``,
      flags: ["read"],
    });
  });

  test("starts with a message that is unread for others, and read for its maker until marked as unread", async () => {
    await join("ada", [fresh], { principals: [id("ada"), id("dev")] });
    const [told] = (await inChannel("ada", fresh)) as (Read & { id: number })[];
    expect(told?.flags).toEqual(["read"]);
    expect((await inChannel("dev", fresh))[0]?.flags).toEqual([]);
    const unread = async (name: CastName) => {
      const { body } = await harness.as(name).post("/register");
      return body.unread_msgs.streams.flatMap(
        (each: { unread_message_ids: number[] }) => each.unread_message_ids,
      );
    };
    expect(await unread("ada")).not.toContain(told?.id);
    expect(await unread("dev")).toContain(told?.id);
    await harness.as("ada").post("/messages/flags", { messages: [told?.id], op: "remove", flag: "read" });
    expect(await unread("ada")).toContain(told?.id);
    expect((await inChannel("ada", fresh))[0]?.flags).toEqual([]);
  });

  test("gets the message in the empty topic if it allows no other", async () => {
    await join("ada", [fresh], { topics_policy: "empty_topic_only" });
    const { body } = await harness.as("ada").get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      allow_empty_topic_name: true,
      narrow: [{ operator: "channel", operand: fresh }],
    });
    expect(body.messages).toMatchObject([{ subject: "" }]);
  });

  test("shows the message to its first subscribers, even without shared history", async () => {
    await join("ada", [fresh], { invite_only: true, principals: [id("dev"), id("gus")] });
    expect(await inChannel("gus", fresh)).toHaveLength(1);
    await join("dev", [fresh], { principals: [id("elin")] });
    expect(await inChannel("elin", fresh)).toEqual([]);
  });

  test("gets no message if the organization has turned such messages off", async () => {
    await harness.as("ada").patch("/realm", { send_channel_events_messages: false });
    await join("ada", [fresh]);
    const { id: channelId } = harness.state.get(channels).findByName(fresh) as { id: number };
    await harness.as("ada").patch(`/streams/${channelId}`, { description: "another" });
    await harness.as("ada").patch("/realm", { send_channel_events_messages: true });
    expect(await inChannel("ada", fresh)).toEqual([]);
  });
});

describe("announcing", () => {
  beforeAll(async () => {
    const { id: channelId } = await harness.channel("announcements", ["ada", "elin"]);
    await harness.as("ada").patch("/realm", { new_stream_announcements_stream_id: channelId });
  });

  test("names all new channels in one message, with links", async () => {
    const before = await inChannel("elin", "announcements");
    await join("dev", [fresh, `${fresh} b`], { announce: true });
    const after = await inChannel("elin", "announcements");
    expect(after.slice(before.length)).toMatchObject([
      {
        subject: "new channels",
        content: `@_**Dev Rao|${id("dev")}** made new channels:\n\n* #**${fresh}**\n* #**${fresh} b**`,
      },
    ]);
  });

  test("happens only on request, and not for existing channels", async () => {
    const before = await inChannel("elin", "announcements");
    await join("dev", [fresh]);
    await join("elin", [fresh], { announce: true });
    expect(await inChannel("elin", "announcements")).toEqual(before);
  });

  test("does not reveal a private channel", async () => {
    const before = await inChannel("elin", "announcements");
    await join("ada", [fresh], { announce: true, invite_only: true });
    expect(await inChannel("elin", "announcements")).toEqual(before);
  });

  test("mentions nobody if the name looks like a mention", async () => {
    await join("dev", ["@**all** *hey*"], { announce: true });
    const last = (await inChannel("elin", "announcements")).at(-1);
    expect(last?.content).toContain("`@**all** *hey*`");
    expect(last?.flags).toEqual([]);
  });
});

describe("a person subscribed by someone else", () => {
  test("gets one direct message for all existing channels", async () => {
    await harness.channel(fresh, ["dev"]);
    await harness.channel(`${fresh} b`, []);
    const channels = [fresh, `${fresh} b`, `${fresh} that is made with them`];
    const body = await join("ada", channels, { principals: [id("elin"), id("ada")] });
    expect(body.new_subscription_messages_sent).toBe(true);
    expect((await fromBot("elin")).at(-1)).toMatchObject({
      sender_id: botId(),
      content: `@_**Ada Osei|${id("ada")}** subscribed you to these channels:\n\n* #**${fresh}**\n* #**${fresh} b**`,
    });
    expect(await fromBot("ada")).toEqual([]);
  });

  test("gets no message if already subscribed, if messages are turned off, or if it is a bot", async () => {
    await harness.channel(fresh, ["ada", "cleo"]);
    const before = await fromBot("cleo");
    await join("ada", [fresh], { principals: [id("cleo"), id("echo")] });
    await harness.channel(`${fresh} b`, ["ada"]);
    await join("ada", [`${fresh} b`], { principals: [id("cleo")], send_new_subscription_messages: false });
    expect(await fromBot("cleo")).toEqual(before);
    expect(await fromBot("echo")).toEqual([]);
  });

  test("gets no message for a channel that the same request makes", async () => {
    const before = await fromBot("cleo");
    const body = await join("ada", [fresh], { principals: [id("cleo")] });
    expect(body.new_subscription_messages_sent).toBe(true);
    const params = { name: `${fresh} b`, subscribers: [id("cleo")], send_new_subscription_messages: true };
    const made = await harness.as("ada").post("/channels/create", params);
    expect([made.status, made.body.ignored_parameters_unsupported]).toEqual([200, undefined]);
    expect(await fromBot("cleo")).toEqual(before);
  });

  test("gets a message that mentions nobody, whatever the channel's name", async () => {
    await harness.channel("all > @**all**", ["ada"]);
    await join("ada", ["all > @**all**"], { principals: [id("elin")] });
    expect((await fromBot("elin")).at(-1)?.content).toContain("`all > @**all**`");
  });

  test("gets no message when a call subscribes more than 100 people", async () => {
    const crowd = await runStateChange(harness.state, async (tx) => {
      const people = [];
      for (let index = 0; index < 101; index++) {
        const person = { email: `crowd${index}@demo.test`, fullName: `Crowd ${index}`, passwordHash: null };
        people.push((await createUser(tx, harness.services.keyring, { ...person, role: roles.member })).id);
      }
      return people;
    });
    await harness.channel(fresh, ["ada"]);
    await harness.channel(`${fresh} b`, ["ada"]);
    const before = await fromBot("elin");
    const many = await join("ada", [fresh], { principals: [...crowd.slice(1), id("elin")] });
    expect(many.new_subscription_messages_sent).toBe(false);
    expect(await fromBot("elin")).toEqual(before);
    const few = await join("ada", [`${fresh} b`], { principals: [...crowd.slice(2), id("elin")] });
    expect(few.new_subscription_messages_sent).toBe(true);
    expect(await fromBot("elin")).toHaveLength(before.length + 1);
  });
});

describe("a message in the channel reports a change of", () => {
  const sentence: [string, Record<string, unknown>, string][] = [
    [
      "its name",
      { new_name: "workshop `two`" },
      "renamed this channel from `workshop` to `` workshop `two` ``.",
    ],
    [
      "its description",
      { description: "Tools" },
      "Before:\n\n*No description.*\n\nNow:\n\n```quote\nTools\n```",
    ],
    ["who can read it", { is_private: true }, "* Before: public\n* Now: private, and new subscribers can't"],
    [
      "how long messages are kept",
      { message_retention_days: 30 },
      "* Before: as in the whole organization\n* Now: 30 days",
    ],
    [
      "its topics policy",
      { topics_policy: "disable_empty_topic" },
      "* Before: as in the whole organization (named topics and the empty one)\n* Now: named topics only",
    ],
  ];

  test.each(sentence)("%s", async (_, change, words) => {
    const { id: channelId } = await harness.channel("workshop", ["ada"]);
    const { status, body } = await harness.as("ada").patch(`/streams/${channelId}`, change);
    expect(status, JSON.stringify(body)).toBe(200);
    const [message] = await inChannel("ada", harness.state.get(channels).find(channelId)?.name as string);
    expect(message?.content.startsWith(`@_**Ada Osei|${id("ada")}** `)).toBe(true);
    expect(message?.content).toContain(words);
    await harness.as("ada").patch(`/streams/${channelId}`, { new_name: `workshop ${channelId}` });
  });

  test("a permission, with its people and groups", async () => {
    const { id: channelId } = await harness.channel(fresh, ["ada"]);
    const people = { direct_members: [id("dev"), id("elin")], direct_subgroups: [] };
    await harness.as("ada").patch(`/streams/${channelId}`, { can_send_message_group: { new: people } });
    const [message] = await inChannel("ada", fresh);
    expect(message?.content).toContain("changed a permission of this channel: who may post in the channel.");
    expect(message?.content).toContain(
      `* Before: Everyone in this organization\n* Now: @_**Dev Rao|${id("dev")}**, @_**Elin Berg|${id("elin")}**`,
    );
  });

  test("its folder, and archiving and unarchiving", async () => {
    const { id: channelId } = await harness.channel(fresh, ["ada"]);
    const { body } = await harness.as("ada").post("/channel_folders/create", { name: fresh });
    const path = `/streams/${channelId}`;
    await harness.as("ada").patch(path, { folder_id: body.channel_folder_id });
    await harness.as("ada").patch(path, { folder_id: null });
    await harness.as("ada").delete(path);
    await harness.as("ada").patch(path, { is_archived: false });
    const told = (await inChannel("ada", fresh)).map(({ content }) => content.replace(/^.*?\*\* /, ""));
    expect(told).toEqual([
      `put this channel into the folder \`${fresh}\`.`,
      `took this channel out of the folder \`${fresh}\`.`,
      "archived this channel.",
      "took this channel out of the archive.",
    ]);
  });
});
