import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { groups } from "../../groups/group.ts";
import { createUser } from "../../people/actions.ts";
import type { User } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { sendMessage } from "../send/send.ts";

let harness: Harness;
const crowd: User[] = [];
beforeAll(async () => {
  harness = await createHarness();
  await runStateChange(harness.state, async (tx) => {
    for (let n = 0; n < 15; n++) {
      const someone = {
        email: `p${n}@demo.test`,
        fullName: `Person ${n}`,
        role: roles.member,
        passwordHash: null,
      };
      crowd.push(await createUser(tx, harness.services.keyring, someone));
    }
  });
});
afterAll(() => harness?.close());

const say = (name: CastName, to: string, content: string, topic = "t") =>
  harness.as(name).post("/messages", { type: "channel", to, topic, content });

const edit = (name: "ada" | "dev", id: number, content: string) =>
  harness.as(name).patch(`/messages/${id}`, { content });

test("mentioning everyone in a channel of more than 15 people needs permission", async () => {
  const hall = await harness.channel("hall", ["dev"]);
  const join = (users: User[]) =>
    runStateChange(harness.state, async (tx) => {
      await subscribe(tx, [hall], users);
    });
  await join(crowd.slice(0, 14));
  expect((await say("dev", "hall", "@**all**")).status).toBe(200);
  await join(crowd.slice(14));
  expect((await say("dev", "hall", "@**all**")).body.code).toBe("STREAM_WILDCARD_MENTION_NOT_ALLOWED");
  expect((await say("dev", "hall", "@_**all**")).status).toBe(200);
  const { id } = (await say("dev", "hall", "Soup?")).body;
  expect((await edit("dev", id, "@**all**")).body.code).toBe("STREAM_WILDCARD_MENTION_NOT_ALLOWED");
  expect((await edit("dev", id, "@_**all**")).status).toBe(200);
  expect((await say("ada", "hall", "@**all**")).status).toBe(200);
  const allow = (name: "members" | "administrators") => {
    const { id: group } = harness.state.get(groups).system(name);
    return harness.as("ada").patch("/realm", { can_mention_many_users_group: { new: group } });
  };
  await allow("members");
  expect((await say("dev", "hall", "@**all**")).status).toBe(200);
  await allow("administrators");
  expect((await say("dev", "hall", "@**all**")).body.code).toBe("STREAM_WILDCARD_MENTION_NOT_ALLOWED");
});

test("mentioning everyone in a topic where more than 15 people have written needs permission", async () => {
  await harness.channel("yard", ["dev"]);
  const write = (user: User) =>
    sendMessage(
      { state: harness.state, user, client: "test" },
      {
        to: { kind: "channel", channel: { name: "yard" }, topic: "t" },
        content: "x",
        localEcho: null,
        readBySender: null,
      },
    );
  for (const user of crowd.slice(0, 14)) await write(user);
  expect((await say("dev", "yard", "@**topic**")).status).toBe(200);
  await write(crowd[14] as User);
  expect((await say("dev", "yard", "@**topic**")).body.code).toBe("TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
  const { id } = (await say("dev", "yard", "Soup?")).body;
  expect((await edit("dev", id, "@**topic**")).body.code).toBe("TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
  expect((await say("dev", "yard", "@**topic**", "another")).status).toBe(200);
  expect((await say("ada", "yard", "@**topic**")).status).toBe(200);
});

test("deactivated people do not count among those whom a mention of everyone reaches", async () => {
  const cellar = await harness.channel("cellar", ["dev"]);
  await runStateChange(harness.state, async (tx) => {
    await subscribe(tx, [cellar], crowd);
  });
  for (const user of crowd) {
    const to = { kind: "channel", channel: { name: "cellar" }, topic: "t" } as const;
    const viewer = { state: harness.state, user, client: "test" };
    await sendMessage(viewer, { to, content: "x", localEcho: null, readBySender: null });
  }
  const codes = async () => [
    (await say("dev", "cellar", "@**all**")).body.code,
    (await say("dev", "cellar", "@**topic**")).body.code,
  ];
  const refused = ["STREAM_WILDCARD_MENTION_NOT_ALLOWED", "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"];
  expect(await codes()).toEqual(refused);
  const path = `/users/${crowd[0]?.id}`;
  await expectSuccess(harness.as("ada").delete(path));
  expect(await codes()).toEqual([undefined, undefined]);
  await expectSuccess(harness.as("ada").post(`${path}/reactivate`));
  expect(await codes()).toEqual(refused);
});

test("a mention of the topic in an edit that also moves reaches the people of the new topic", async () => {
  await harness.channel("meadow", ["ada", "ben", "cleo", "dev"]);
  await say("cleo", "meadow", "x", "old");
  await say("ben", "meadow", "x", "new");
  const { id } = (await say("ada", "meadow", "x", "old")).body;
  const ears = await Promise.all((["ben", "cleo"] as const).map((name) => listen(harness.as(name))));
  await expectSuccess(harness.as("ada").patch(`/messages/${id}`, { content: "@**topic**", topic: "new" }));
  const heard = await Promise.all(ears.map((each) => each.heard()));
  const mentions = ["topic_wildcard_mentioned", "wildcard_mentioned"];
  expect(heard.map((events) => events[0]?.flags)).toEqual([mentions, []]);
  const flagsOf = async (name: CastName) =>
    (await expectSuccess(harness.as(name).get(`/messages/${id}`))).message.flags;
  expect(await flagsOf("ben")).toEqual(mentions);
  expect(await flagsOf("cleo")).toEqual([]);
  const all = { content: "@**topic**", topic: "new", propagate_mode: "change_all" };
  const other = (await say("ada", "meadow", "x", "old")).body.id;
  await expectSuccess(harness.as("ada").patch(`/messages/${other}`, all));
  const { message } = await expectSuccess(harness.as("cleo").get(`/messages/${other}`));
  expect(message.flags, "cleo's message moves with it").toEqual(mentions);
});

test("the limit on mentions of a topic counts the people of the topic that the message moves to", async () => {
  const lawn = await harness.channel("lawn", ["dev"]);
  await runStateChange(harness.state, async (tx) => {
    await subscribe(tx, [lawn], crowd);
  });
  for (const user of crowd) {
    const to = { kind: "channel", channel: { name: "lawn" }, topic: "crowded" } as const;
    const viewer = { state: harness.state, user, client: "test" };
    await sendMessage(viewer, { to, content: "x", localEcho: null, readBySender: null });
  }
  const edit = { content: "@**topic**", propagate_mode: "change_one" };
  const away = (await say("dev", "lawn", "x", "crowded")).body.id;
  await expectSuccess(harness.as("dev").patch(`/messages/${away}`, { ...edit, topic: "calm" }));
  const back = (await say("dev", "lawn", "x", "calm")).body.id;
  const answer = await harness.as("dev").patch(`/messages/${back}`, { ...edit, topic: "crowded" });
  expect(answer.body.code).toBe("TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
});

test("a user who writes their first message in a topic counts among its mentioned people", async () => {
  await harness.channel("court", ["ada", "dev"]);
  const alone = await say("dev", "court", "@**topic**");
  const { flags } = (await harness.as("dev").get(`/messages/${alone.body.id}`)).body.message;
  expect(flags).toContain("topic_wildcard_mentioned");
  for (const user of crowd) {
    const to = { kind: "channel", channel: { name: "court" }, topic: "others" } as const;
    const viewer = { state: harness.state, user, client: "test" };
    await sendMessage(viewer, { to, content: "x", localEcho: null, readBySender: null });
  }
  const first = await say("dev", "court", "@**topic**", "others");
  expect(first.body.code).toBe("TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
});
