import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelId } from "../../api/ids.ts";
import { setTopicPolicy } from "../../server/attention/user-topics/actions.ts";
import { topicPolicies } from "../../server/attention/user-topics/policy.ts";
import { type Channel, channels } from "../../server/channels/channel.ts";
import { topicNamed } from "../../server/channels/recipients/topics.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { listen } from "../harness/listener.ts";
import { untilWaiting } from "../harness/waiting.ts";

let harness: Harness;
let kitchen: number;
let pantry: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  pantry = (await harness.channel("pantry", ["ada", "dev", "elin"])).id;
  leads = (await harness.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
  // Here nobody has a policy that they did not set.
  for (const name of ["ada", "dev"] as const)
    await expectSuccess(harness.as(name).patch("/settings", { automatically_follow_topics_policy: 4 }));
});
afterAll(() => harness.close());

async function say(name: CastName, to: unknown, topic: string, more: Record<string, unknown> = {}) {
  const message = { type: "channel", to, topic, content: "Soup today?", ...more };
  return (await expectSuccess(harness.as(name).post("/messages", message))).id as number;
}

const wish = (name: CastName, stream_id: number, topic: string, visibility_policy: number) =>
  harness.as(name).post("/user_topics", { stream_id, topic, visibility_policy });

const muteAsOf = (name: CastName, params: Record<string, unknown>) =>
  harness.as(name).patch("/users/me/subscriptions/muted_topics", params);

async function registered(name: CastName, params: Record<string, unknown> = {}) {
  const capabilities = { notification_settings_null: true, empty_topic_name: true };
  return expectSuccess(harness.as(name).post("/register", { client_capabilities: capabilities, ...params }));
}

const topicsOf = async (name: CastName) =>
  (await registered(name)).user_topics.map((row: Record<string, unknown>) => [
    row.stream_id,
    row.topic_name,
    row.visibility_policy,
  ]);

describe("a policy for a topic", () => {
  test("reaches only the user's own clients, and stays until it is removed", async () => {
    for (const policy of [3, 1, 2, 0]) {
      await expectSilence(
        harness,
        { hears: "dev", silent: everybody.filter((name) => name !== "dev") },
        () => expectSuccess(wish("dev", kitchen, "Stew", policy)),
        ({ type }) => type === "user_topic",
      );
      expect(await topicsOf("dev")).toEqual(policy === 0 ? [] : [[kitchen, "Stew", policy]]);
    }
  });

  test("is the same for every spelling of the topic, and setting it again changes nothing", async () => {
    await expectSuccess(wish("dev", kitchen, "Bread", 1));
    const heard = await followAll(harness, ["dev"], async () => {
      await expectSuccess(wish("dev", kitchen, " bread ", 1));
      await expectSuccess(wish("dev", kitchen, "BREAD", 0));
      await expectSuccess(wish("dev", kitchen, "bread", 0));
    });
    expect(eventNames(heard.dev)).toEqual(["user_topic", "muted_topics"]);
    expect(heard.dev?.[0]).toMatchObject({ topic_name: "Bread", visibility_policy: 0 });
  });

  test("can be set for the empty topic, which has a name for clients that need one", async () => {
    for (const [topic, policy] of [
      ["(no topic)", 1],
      ["general chat", 3],
    ] as const) {
      const heard = await followAll(
        harness,
        ["dev"],
        () => expectSuccess(wish("dev", kitchen, topic, policy)),
        {
          forms: [forms.plain],
        },
      );
      expect(heard.dev?.[0]).toMatchObject({ topic_name: "general chat", visibility_policy: policy });
    }
    expect(await topicsOf("dev")).toEqual([[kitchen, "", 3]]);
    await expectSuccess(wish("dev", kitchen, "", 0));
  });

  test("decides which unread messages are counted", async () => {
    const people = await startAll(harness, ["ada"]);
    const counts = async () => (await registered("ada")).unread_msgs.count;
    const mute = (value: boolean) =>
      expectSuccess(
        harness.as("ada").post("/users/me/subscriptions/properties", {
          subscription_data: [{ stream_id: kitchen, property: "is_muted", value }],
        }),
      );
    const before = await counts();
    await say("dev", "kitchen", "noise");
    await say("dev", "kitchen", "news");
    expect(await counts()).toBe(before + 2);
    await expectSuccess(wish("ada", kitchen, "noise", 1));
    expect(await counts()).toBe(before + 1);
    await mute(true);
    const muted = await counts();
    await expectSuccess(wish("ada", kitchen, "news", 3));
    expect(await counts()).toBe(muted + 1);
    await expectSuccess(wish("ada", kitchen, "noise", 2));
    expect(await counts()).toBe(muted + 2);
    await mute(false);
    for (const follower of people) {
      await follower.catchUp();
      await follower.compare();
    }
  });

  test.each([
    ["is too long", { topic: "x".repeat(61), visibility_policy: 1 }],
    ["has a character that can't be printed", { topic: "a\u0007b", visibility_policy: 1 }],
    ["gets a policy that there is not", { topic: "soup", visibility_policy: 4 }],
  ])("is refused when the topic %s", async (_, params) => {
    const { status, body } = await harness.as("dev").post("/user_topics", { stream_id: kitchen, ...params });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("is refused in an unreadable channel, as in one that does not exist", async () => {
    for (const policy of [0, 1, 2, 3]) {
      for (const name of ["dev", "gus", "zed"] as const) {
        expect((await wish(name, leads, "plans", policy)).body.msg, name).toBe("Invalid channel ID");
      }
      expect((await wish("dev", 999_999, "plans", policy)).body.msg).toBe("Invalid channel ID");
    }
  });

  test("can still be removed by a user who has left the channel", async () => {
    const cellar = await harness.channel("cellar", ["ada", "dev"], { isPrivate: true });
    await expectSuccess(wish("dev", cellar.id, "wine", 3));
    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["cellar"] }));
    expect((await wish("dev", cellar.id, "wine", 1)).body.msg).toBe("Invalid channel ID");
    expect(await topicsOf("dev")).toEqual([[cellar.id, "wine", 3]]);
    await followAll(harness, ["dev"], () => expectSuccess(wish("dev", cellar.id, "wine", 0)));
    expect(await topicsOf("dev")).toEqual([]);
    expect((await wish("dev", cellar.id, "wine", 0)).body.msg).toBe("Invalid channel ID");
  });
});

describe("the older list of muted topics", () => {
  test("names channels by name, and is sent as a whole", async () => {
    await expectSuccess(muteAsOf("dev", { stream: "kitchen", topic: "Noise", op: "add" }));
    const heard = await followAll(harness, ["dev"], () =>
      expectSuccess(muteAsOf("dev", { stream_id: pantry, topic: "", op: "add" })),
    );
    const at = expect.any(Number);
    const all = [
      ["kitchen", "noise", at],
      ["pantry", "", at],
    ];
    expect(heard.dev?.[1]).toMatchObject({ type: "muted_topics", muted_topics: all });
    expect((await registered("dev")).muted_topics).toEqual(all);
    await expectSuccess(muteAsOf("dev", { stream: "kitchen", topic: "noise", op: "remove" }));
    await expectSuccess(muteAsOf("dev", { stream: "pantry", topic: "general chat", op: "remove" }));
    expect((await registered("dev")).muted_topics).toEqual([]);
  });

  test("is left out for clients that name the new one too", async () => {
    const both = ["user_topic", "muted_topics"];
    const value = await registered("dev", { event_types: both });
    expect([value.user_topics, value.muted_topics]).toEqual([[], undefined]);
    const [modern, old] = await Promise.all([
      listen(harness.as("dev"), { event_types: both }),
      listen(harness.as("dev"), { event_types: ["muted_topics"] }),
    ]);
    await expectSuccess(wish("dev", kitchen, "noise", 1));
    expect(eventNames(await modern.heard())).toEqual(["user_topic"]);
    expect(eventNames(await old.heard())).toEqual(["muted_topics"]);
    await expectSuccess(wish("dev", kitchen, "noise", 0));
  });

  test("doesn't name a private channel to a user who has left it", async () => {
    const attic = await harness.channel("attic", ["ada", "dev"], { isPrivate: true });
    await expectSuccess(wish("dev", attic.id, "boxes", 1));
    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["attic"] }));
    expect((await registered("dev")).muted_topics).toEqual([]);
    await expectSuccess(wish("dev", attic.id, "boxes", 0));
  });

  test("leaves out a channel that is archived", async () => {
    const shed = await harness.channel("shed", ["ada", "dev"]);
    await expectSuccess(wish("dev", shed.id, "rakes", 1));
    expect((await registered("dev")).muted_topics).toEqual([["shed", "rakes", expect.any(Number)]]);
    await expectSuccess(harness.as("ada").delete(`/streams/${shed.id}`));
    expect((await registered("dev")).muted_topics).toEqual([]);
    await expectSuccess(wish("dev", shed.id, "rakes", 0));
  });

  test("is changed only with one channel, by name or by id", async () => {
    const refused = async (params: Record<string, unknown>) =>
      (await muteAsOf("dev", { topic: "x", op: "add", ...params })).body.msg;
    expect(await refused({})).toBe("Missing 'stream_id' argument");
    expect(await refused({ stream: "kitchen", stream_id: kitchen })).toBe(
      "'stream' and 'stream_id' can't be given together",
    );
    expect(await refused({ stream: "leads" })).toBe("Invalid channel name 'leads'");
    expect(await refused({ stream_id: leads })).toBe("Invalid channel ID");
  });
});

describe("when a whole topic moves", () => {
  const move = (name: CastName, id: number, params: Record<string, unknown>) =>
    expectSuccess(harness.as(name).patch(`/messages/${id}`, { propagate_mode: "change_all", ...params }));

  test("its policies move with it", async () => {
    const id = await say("ada", "kitchen", "dumplings");
    await expectSuccess(wish("dev", kitchen, "dumplings", 3));
    await expectSuccess(wish("gus", kitchen, "dumplings", 1));
    const heard = await followAll(harness, everybody, () => move("ada", id, { topic: "ravioli" }));
    const old = (name: CastName) => heard[name]?.filter(({ type }) => type === "muted_topics");
    expect(old("gus")).toMatchObject([{ muted_topics: [["kitchen", "ravioli", expect.any(Number)]] }]);
    expect(old("dev")).toEqual([]);
    expect(await topicsOf("dev")).toEqual([[kitchen, "ravioli", 3]]);
    expect(await topicsOf("gus")).toEqual([[kitchen, "ravioli", 1]]);
    await expectSuccess(wish("dev", kitchen, "ravioli", 0));
    await expectSuccess(wish("gus", kitchen, "ravioli", 0));
  });

  test("into another topic, the policy that shows more remains", async () => {
    const id = await say("ada", "kitchen", "plums");
    await say("ada", "kitchen", "prunes");
    await expectSuccess(wish("dev", kitchen, "plums", 1));
    await expectSuccess(wish("dev", kitchen, "prunes", 3));
    await expectSuccess(wish("gus", kitchen, "prunes", 1));
    await expectSuccess(wish("ben", kitchen, "plums", 1));
    await expectSuccess(wish("ben", kitchen, "prunes", 1));
    await followAll(harness, everybody, () => move("ada", id, { topic: "prunes" }));
    expect(await topicsOf("dev")).toEqual([[kitchen, "prunes", 3]]);
    expect(await topicsOf("gus")).toEqual([]);
    expect(await topicsOf("ben")).toEqual([[kitchen, "prunes", 1]]);
    await expectSuccess(wish("dev", kitchen, "prunes", 0));
    await expectSuccess(wish("ben", kitchen, "prunes", 0));
  });

  test("while somebody changes their policy for it, the new policy moves with it", async () => {
    const id = await say("ada", "kitchen", "nectarines");
    await expectSuccess(wish("dev", kitchen, "nectarines", 1));
    const channel = harness.state.get(channels).byId.get(kitchen as ChannelId) as Channel;
    const topic = await topicNamed(harness.state, channel, "nectarines");
    let moving: Promise<unknown> | undefined;
    await followAll(harness, everybody, async () => {
      await runContentChange(harness.state, async (tx) => {
        await setTopicPolicy(tx, topic, {
          userId: harness.user("dev").user.id,
          policy: topicPolicies.followed,
        });
        moving = move("ada", id, { topic: "apricots" });
        await untilWaiting(harness.state.database, 1);
      });
      await moving;
    });
    expect(await topicsOf("dev")).toEqual([[kitchen, "apricots", topicPolicies.followed]]);
    await expectSuccess(wish("dev", kitchen, "apricots", 0));
  });

  test("to a channel that a user can't see, it does not reveal the new name", async () => {
    const id = await say("ada", "kitchen", "secret recipe");
    await expectSuccess(wish("dev", kitchen, "secret recipe", 3));
    const heard = await followAll(harness, everybody, () =>
      move("ada", id, { stream_id: leads, topic: "patent" }),
    );
    expect(JSON.stringify(heard.dev)).not.toContain("patent");
    expect(await topicsOf("dev")).toEqual([]);
  });

  test("in part, its policies stay", async () => {
    const id = await say("ada", "kitchen", "figs");
    await say("ada", "kitchen", "figs");
    await expectSuccess(wish("dev", kitchen, "figs", 3));
    await followAll(harness, ["dev"], () =>
      move("ada", id, { topic: "dates", propagate_mode: "change_one" }),
    );
    expect(await topicsOf("dev")).toEqual([[kitchen, "figs", 3]]);
    await expectSuccess(wish("dev", kitchen, "figs", 0));
  });

  test("to another spelling of its name, it is the same topic", async () => {
    const id = await say("ada", "kitchen", "olives");
    await expectSuccess(wish("dev", kitchen, "olives", 3));
    await followAll(harness, everybody, () => move("ada", id, { topic: "Olives" }));
    expect(await topicsOf("dev")).toEqual([[kitchen, "Olives", 3]]);
    await expectSuccess(wish("dev", kitchen, "olives", 0));
  });
});
