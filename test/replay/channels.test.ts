import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChannelFolder } from "../../server/channels/folders/actions.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const path = "/users/me/subscriptions";

const ids = (people: CastName[]) => people.map((name) => harness.user(name).id);

const join = (name: CastName, channels: string[], more: Record<string, unknown> = {}) =>
  expectSuccess(
    harness.as(name).post(path, { subscriptions: channels.map((channel) => ({ name: channel })), ...more }),
  );

const leave = (name: CastName, channels: string[], more: Record<string, unknown> = {}) =>
  expectSuccess(harness.as(name).delete(path, { subscriptions: channels, ...more }));

const say = (name: CastName, to: string) =>
  expectSuccess(
    harness.as(name).post("/messages", { type: "channel", to, topic: "lunch", content: "Soup today?" }),
  );

describe("a new channel", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["open to all members", "kitchen", {}],
    ["private", "leads", { invite_only: true }],
    [
      "private with its history shared",
      "history",
      { invite_only: true, history_public_to_subscribers: true },
    ],
    ["that people who join are subscribed to", "general", { is_default_stream: true }],
    ["with settings of its own", "quiet", { topics_policy: "empty_topic_only", message_retention_days: 30 }],
    ["for others", "others", { principals: [2, 3] }],
  ])("%s reaches exactly the people who may know of it", async (_, name, settings) => {
    const more = "principals" in settings ? { principals: ids(["dev", "gus", "echo"]) } : {};
    const heard = await followAll(harness, everybody, () => join("ada", [name], { ...settings, ...more }));
    expect(eventNames(heard.ada)).toContain("stream/create");
  });

  test("that is web-public reaches guests too", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
    const heard = await followAll(harness, everybody, () => join("ada", ["square"], { is_web_public: true }));
    expect(eventNames(heard.gus)).toContain("stream/create");
  });

  test("reaches neither guests nor another organization", () =>
    expectSilence(harness, { hears: "dev", silent: ["gus", "zed"] }, () => join("ada", ["new one"])));

  test("that is private reaches administrators, and no other people outside it", () =>
    expectSilence(harness, { hears: "ben", silent: ["cleo", "dev", "elin", "gus", "echo", "zed"] }, () =>
      join("ada", ["secret"], { invite_only: true }),
    ));

  test("is sent with its own permissions", async () => {
    const group = { direct_members: ids(["dev", "elin"]), direct_subgroups: [] };
    const settings = { can_send_message_group: group, can_administer_channel_group: group };
    await followAll(harness, everybody, () => join("ada", ["by few"], settings));
  });

  test("that is private also reaches people whom its permissions name", async () => {
    const group = { direct_members: ids(["dev"]), direct_subgroups: [] };
    const settings = { invite_only: true, can_add_subscribers_group: group };
    const heard = await followAll(harness, everybody, () => join("ada", ["staffed"], settings));
    expect(eventNames(heard.dev)).toContain("stream/create");
    await followAll(harness, everybody, () => join("dev", ["staffed"], { principals: ids(["elin", "gus"]) }));
  });
});

describe("subscribing", () => {
  beforeAll(async () => {
    await harness.channel("garden", ["ada"]);
    await harness.channel("shed", ["ada"]);
    await harness.channel("vault", ["ada"], { isPrivate: true });
  });

  test("sends the channel to the subscriber, and the subscriber to people who know the channel", async () => {
    const heard = await followAll(harness, everybody, () => join("dev", ["garden"]));
    expect(eventNames(heard.dev)).toContain("subscription/add");
    expect(eventNames(heard.elin)).toEqual(["subscription/peer_add"]);
    expect(eventNames(heard.gus)).toEqual([]);
  });

  test("a second time changes nothing", async () => {
    const heard = await followAll(harness, everybody, () => join("dev", ["garden"]));
    for (const name of everybody) expect(heard[name], name).toEqual([]);
  });

  test("works for several people and channels at once, with a color", async () => {
    const subscriptions = [{ name: "garden", color: "#123456" }, { name: "shed" }, { name: "vault" }];
    const principals = ids(["ben", "dev", "gus", "echo"]);
    const heard = await followAll(harness, everybody, () =>
      expectSuccess(harness.as("ada").post(path, { subscriptions, principals })),
    );
    expect(eventNames(heard.gus)).toContain("subscription/add");
    expect(eventNames(heard.gus)).toContain("stream/create");
  });

  test("to a private channel sends no event to members outside it", () =>
    expectSilence(harness, { hears: "dev", silent: ["elin", "zed"] }, () =>
      join("ada", ["vault"], { principals: ids(["cleo"]) }),
    ));

  test("sends an event to guests in the channel, and to no other guests", async () => {
    const heard = await followAll(harness, everybody, () => join("cleo", ["garden", "shed"]));
    expect(heard.gus?.flatMap(({ stream_ids }) => stream_ids)).toHaveLength(2);
    await harness.channel("away", ["ada"]);
    await expectSilence(harness, { hears: "dev", silent: ["gus"] }, () => join("cleo", ["away"]));
  });
});

describe("unsubscribing", () => {
  const cast: CastName[] = ["ada", "ben", "dev", "gus", "echo"];
  beforeAll(async () => {
    await harness.channel("hall", cast);
    await harness.channel("attic", cast);
    await harness.channel("cellar", cast, { isPrivate: true });
    await harness.channel("tower", cast, { isPrivate: true, isHistoryShared: true });
  });

  test("from a channel marks its unread messages as read", async () => {
    await say("ada", "hall");
    const heard = await followAll(harness, everybody, () => leave("dev", ["hall"]));
    expect(eventNames(heard.dev)).toEqual(["subscription/remove", "update_message_flags/add"]);
    expect(eventNames(heard.elin)).toEqual(["subscription/peer_remove"]);
  });

  test("and subscribing again keeps the models right, with messages sent in between", async () => {
    await say("ada", "hall");
    await followAll(harness, everybody, () => join("dev", ["hall"]));
    await followAll(harness, everybody, () => say("ada", "hall"));
  });

  test("a guest removes the channel for them", async () => {
    await say("ada", "attic");
    const heard = await followAll(harness, everybody, () =>
      leave("ada", ["attic"], { principals: ids(["gus"]) }),
    );
    expect(eventNames(heard.gus)).toContain("stream/delete");
  });

  test("from a private channel removes it for a member", async () => {
    await say("ada", "cellar");
    const heard = await followAll(harness, everybody, () => leave("dev", ["cellar"]));
    expect(eventNames(heard.dev)).toContain("stream/delete");
    await expectSilence(harness, { hears: "ben", silent: ["dev", "elin", "zed"] }, () =>
      say("ada", "cellar"),
    );
  });

  test("from a private channel keeps it listed for an administrator", async () => {
    await say("ada", "tower");
    const heard = await followAll(harness, everybody, () => leave("ben", ["tower"]));
    expect(eventNames(heard.ben)).toEqual(["subscription/remove", "update_message_flags/add"]);
  });

  test("works for several people and channels at once", async () => {
    await followAll(harness, everybody, () =>
      leave("ada", ["hall", "cellar", "tower"], { principals: ids(["gus", "echo", "dev"]) }),
    );
  });

  test("works for a channel's last subscriber", async () => {
    await harness.channel("alone", ["dev"]);
    await harness.channel("alone in private", ["dev"], { isPrivate: true });
    await followAll(harness, everybody, () => leave("dev", ["alone", "alone in private"]));
  });
});

describe("folders", () => {
  test("are sent to everyone in the organization", async () => {
    const make = () =>
      changeState(harness.user("ada").viewer, (tx) =>
        createChannelFolder(tx, { name: "Product", description: "*Us*" }),
      );
    const heard = await followAll(harness, everybody, make);
    expect(eventNames(heard.gus)).toEqual(["channel_folder/add"]);
    expect(heard.zed).toEqual([]);
  });
});
