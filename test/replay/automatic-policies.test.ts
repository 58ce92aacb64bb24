import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { subscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { send } from "../../server/messages/send/send.ts";
import { createUser } from "../../server/people/actions.ts";
import { type User, users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, followAll } from "../harness/follow.ts";
import { type Answer, type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  leads = (await harness.channel("leads", ["ada", "ben", "dev"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

/** The values of the settings. */
const [TAKING_PART, SENDING, STARTING, NEVER] = [1, 2, 3, 4];

beforeEach(async () => {
  await choose("dev", { follow: STARTING, unmute: SENDING });
  await muteKitchen("dev", false);
});

const say = (name: CastName, topic: string, more: Record<string, unknown> = {}): Promise<Answer["body"]> =>
  expectSuccess(
    harness.as(name).post("/messages", { type: "channel", to: kitchen, topic, content: "Soup?", ...more }),
  );

const choose = (name: CastName, { follow, unmute }: { follow?: number; unmute?: number }) =>
  expectSuccess(
    harness.as(name).patch("/settings", {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    }),
  );

const muteKitchen = (name: CastName, value: boolean) =>
  expectSuccess(
    harness.as(name).post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: kitchen, property: "is_muted", value }],
    }),
  );

const wish = (name: CastName, topic: string, visibility_policy: number, stream_id = kitchen) =>
  expectSuccess(harness.as(name).post("/user_topics", { stream_id, topic, visibility_policy }));

async function policyOf(name: CastName, topic: string): Promise<number> {
  const { user_topics } = await expectSuccess(
    harness.as(name).post("/register", { fetch_event_types: ["user_topic"] }),
  );
  const row = user_topics.find(({ topic_name }: { topic_name: string }) => topic_name === topic);
  return row?.visibility_policy ?? 0;
}

describe("a user who starts a topic", () => {
  test("follows it: their clients get that event before the message, and the response says so", async () => {
    let answer: Answer["body"];
    const heard = await followAll(harness, everybody, async () => {
      answer = await say("dev", "a new dish");
    });
    expect(answer.automatic_new_visibility_policy).toBe(3);
    expect(eventNames(heard.dev)).toEqual(["user_topic", "message"]);
    expect(heard.dev?.[0]).toMatchObject({ topic_name: "a new dish", visibility_policy: 3 });
    expect(eventNames(heard.ada)).toEqual(["message"]);
    expect(await policyOf("dev", "a new dish")).toBe(3);
  });

  test("is the first to write in it; later messages make nobody follow it", async () => {
    await say("ada", "second helpings");
    for (const name of ["dev", "ada"] as const) {
      expect(await say(name, "Second Helpings"), name).not.toHaveProperty("automatic_new_visibility_policy");
    }
    expect([await policyOf("dev", "second helpings"), await policyOf("ada", "second helpings")]).toEqual([
      0, 3,
    ]);
  });

  test("does not follow it if they have another policy for it", async () => {
    await wish("dev", "an old wish", 1);
    expect(await say("dev", "an old wish")).not.toHaveProperty("automatic_new_visibility_policy");
    expect(await policyOf("dev", "an old wish")).toBe(1);
  });

  test("is also the first to write after all its messages were moved or deleted", async () => {
    const { id } = await say("ada", "emptied");
    await expectSuccess(
      harness.as("ada").patch(`/messages/${id}`, { topic: "elsewhere", propagate_mode: "change_all" }),
    );
    const again = await say("dev", "emptied");
    expect(again.automatic_new_visibility_policy).toBe(3);
    await expectSuccess(harness.as("ada").delete(`/messages/${again.id}`));
    expect((await say("ben", "emptied")).automatic_new_visibility_policy).toBe(3);
  });

  test("is also the first to write since they joined, if they can't read older messages", async () => {
    await say("ada", "before elin", { to: leads });
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "leads" }],
        principals: [harness.user("elin").id],
      }),
    );
    expect(await say("ben", "before elin", { to: leads })).not.toHaveProperty(
      "automatic_new_visibility_policy",
    );
    await say("ada", "before elin, too", { to: leads });
    expect(await say("elin", "before elin", { to: leads })).not.toHaveProperty(
      "automatic_new_visibility_policy",
    );
    const attic = await harness.channel("attic", ["ada"], { isPrivate: true });
    await say("ada", "boxes", { to: attic.id });
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "attic" }],
        principals: [harness.user("dev").id],
      }),
    );
    expect((await say("dev", "boxes", { to: attic.id })).automatic_new_visibility_policy).toBe(3);
  });

  test("does not follow it if they are a bot", async () => {
    await expectSuccess(
      harness.as("ada").patch("/settings", { automatically_follow_topics_policy: STARTING }),
    );
    expect(await say("echo", "by a machine")).not.toHaveProperty("automatic_new_visibility_policy");
    expect(await policyOf("echo", "by a machine")).toBe(0);
  });
});

describe("a policy that a setting gives", () => {
  test.each([
    ["sending", SENDING],
    ["taking part", TAKING_PART],
  ])(
    "a user follows a topic that they write in, even a muted one, if their setting counts %s",
    async (_, follow) => {
      await choose("dev", { follow });
      const topic = `counting ${follow}`;
      await say("ada", topic);
      await wish("dev", topic, 1);
      expect((await say("dev", topic)).automatic_new_visibility_policy).toBe(3);
      expect(await say("dev", topic)).not.toHaveProperty("automatic_new_visibility_policy");
      await wish("dev", topic, 0);
      expect((await say("dev", topic)).automatic_new_visibility_policy).toBe(3);
    },
  );

  test("writing in a topic of a muted channel unmutes the topic", async () => {
    await say("ada", "in the noise");
    expect(await say("dev", "in the noise")).not.toHaveProperty("automatic_new_visibility_policy");
    await muteKitchen("dev", true);
    const heard = await followAll(harness, ["dev"], async () => {
      expect((await say("dev", "in the noise")).automatic_new_visibility_policy).toBe(2);
    });
    expect(eventNames(heard.dev)).toEqual(["user_topic", "message"]);
    expect(await say("dev", "in the noise")).not.toHaveProperty("automatic_new_visibility_policy");
    // Starting a topic follows it, which counts for more than unmuting it.
    expect((await say("dev", "over the noise")).automatic_new_visibility_policy).toBe(3);
  });

  test("writing in a muted channel that the user has left unmutes nothing", async () => {
    await choose("dev", { follow: NEVER });
    await say("ada", "from outside");
    await muteKitchen("dev", true);
    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
    expect(await say("dev", "from outside")).not.toHaveProperty("automatic_new_visibility_policy");
    await expectSuccess(
      harness.as("dev").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
    );
    expect((await say("dev", "from outside")).automatic_new_visibility_policy).toBe(2);
  });

  test("a user whose setting counts only starting topics unmutes only those", async () => {
    await choose("dev", { follow: NEVER, unmute: STARTING });
    await muteKitchen("dev", true);
    await say("ada", "not started");
    expect(await say("dev", "not started")).not.toHaveProperty("automatic_new_visibility_policy");
    expect((await say("dev", "started")).automatic_new_visibility_policy).toBe(2);
  });

  test("writing changes no policy of people who turned both settings off", async () => {
    await choose("dev", { follow: NEVER, unmute: NEVER });
    await muteKitchen("dev", true);
    expect(await say("dev", "in peace")).not.toHaveProperty("automatic_new_visibility_policy");
  });

  test("reacting makes people follow the topic if their setting counts taking part", async () => {
    const { id } = await say("ada", "to be liked");
    const react = (emoji_name: string) =>
      expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name }));
    await choose("dev", { follow: SENDING });
    await react("octopus");
    expect(await policyOf("dev", "to be liked")).toBe(0);
    await choose("dev", { follow: TAKING_PART });
    const heard = await followAll(harness, ["dev"], () => react("tada"));
    expect(eventNames(heard.dev)).toEqual(["reaction/add", "user_topic"]);
    expect(await policyOf("dev", "to be liked")).toBe(3);
  });
});

test("reacting in a muted channel unmutes the topic for people whose setting counts taking part", async () => {
  await choose("dev", { follow: NEVER, unmute: TAKING_PART });
  const { id } = await say("ada", "liked in the noise");
  const react = (emoji_name: string) =>
    expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name }));
  await react("octopus");
  expect(await policyOf("dev", "liked in the noise")).toBe(0);
  await muteKitchen("dev", true);
  await react("tada");
  expect(await policyOf("dev", "liked in the noise")).toBe(2);
});

test("voting in a poll counts as taking part, and starting a topic with a poll follows it", async () => {
  const poll = await say("ada", "to be voted on", { content: "/poll Soup?\nleek\npea" });
  expect(poll.automatic_new_visibility_policy).toBe(3);
  await choose("dev", { follow: TAKING_PART });
  const vote = { type: "vote", key: "canned,0", vote: 1 };
  await expectSuccess(
    harness.as("dev").post("/submessage", { message_id: poll.id, msg_type: "widget", content: vote }),
  );
  expect(await policyOf("dev", "to be voted on")).toBe(3);
});

describe("a user who is mentioned by name", () => {
  test("follows the topic", async () => {
    await say("ada", "asking people");
    const heard = await followAll(harness, everybody, () =>
      say("ada", "asking people", { content: "@**Dev Rao** @**Gus Pike** @**Echo Bot** @**Elin Berg**" }),
    );
    for (const name of ["dev", "gus"] as const)
      expect(eventNames(heard[name])).toEqual(["user_topic", "message"]);
    expect(eventNames(heard.echo)).toEqual(["message"]);
    expect(eventNames(heard.ada)).toEqual(["message"]);
    // Elin is not subscribed.
    expect(eventNames(heard.elin)).toEqual([]);
  });

  test("follows it if they had unmuted it, but not if they muted it or turned the setting off", async () => {
    await say("ada", "asking again");
    await wish("dev", "asking again", 1);
    await wish("ben", "asking again", 2);
    await expectSuccess(
      harness.as("gus").patch("/settings", { automatically_follow_topics_where_mentioned: false }),
    );
    await say("ada", "asking again", { content: "@**Dev Rao** @**Gus Pike** @**Ben Ito**" });
    expect([
      await policyOf("dev", "asking again"),
      await policyOf("gus", "asking again"),
      await policyOf("ben", "asking again"),
    ]).toEqual([1, 0, 3]);
    await expectSuccess(
      harness.as("gus").patch("/settings", { automatically_follow_topics_where_mentioned: true }),
    );
  });
});

describe("a user who is mentioned in a group", () => {
  const group = (name: string, members: CastName[], subgroups: number[] = []) =>
    expectSuccess(
      harness.as("ada").post("/user_groups/create", {
        name,
        description: "",
        members: members.map((each) => harness.user(each).id),
        subgroups,
      }),
    );

  test("follows the topic if they receive the message and are not a bot", async () => {
    const { group_id } = await group("tasters", ["gus", "elin", "echo"]);
    await group("cooks", ["dev", "ada"], [group_id]);
    await say("ada", "asking cooks");
    const heard = await followAll(harness, everybody, () =>
      say("ada", "asking cooks", { content: "@*cooks*" }),
    );
    for (const name of ["dev", "gus"] as const)
      expect(eventNames(heard[name])).toEqual(["user_topic", "message"]);
    for (const name of ["ben", "echo", "ada"] as const) expect(eventNames(heard[name])).toEqual(["message"]);
    expect(eventNames(heard.elin)).toEqual([]);
  });

  test("does not follow it if they muted it, or if the mention is silent", async () => {
    await group("bakers", ["dev", "ben"]);
    await say("ada", "asking bakers");
    await say("ada", "asking bakers", { content: "@_*bakers*" });
    expect(await policyOf("ben", "asking bakers")).toBe(0);
    await wish("dev", "asking bakers", 1);
    await say("ada", "asking bakers", { content: "@*bakers*" });
    expect([await policyOf("dev", "asking bakers"), await policyOf("ben", "asking bakers")]).toEqual([1, 3]);
  });

  test("follows it in a large group too, unless they muted it", async () => {
    const crowd: User[] = [];
    const channel = await harness.channel("hall", ["ada"]);
    await runStateChange(harness.state, async (tx) => {
      for (let n = 0; n < 60; n++) {
        const email = `p${n}@demo.test`;
        const someone = { email, fullName: `Person ${n}`, role: roles.member, passwordHash: null };
        crowd.push(await createUser(tx, harness.services.keyring, someone));
      }
      await subscribe(tx, [channel], crowd);
    });
    const members = crowd.map(({ id }) => id);
    await expectSuccess(
      harness.as("ada").post("/user_groups/create", { name: "crowd", description: "", members }),
    );
    await say("ada", "asking many", { to: channel.id });
    const [first] = crowd as [User];
    await harness.state.database.query(sql`
      insert into topic_policies (organization_id, user_id, topic_id, policy)
      select organization_id, ${first.id}, id, 1 from topics where name = 'asking many'`);
    await say("ada", "asking many", { to: channel.id, content: "@*crowd*" });
    const policies = await harness.state.database.query<{ id: number; policy: number }>(sql`
      select p.user_id as id, p.policy from topic_policies p join topics t on t.id = p.topic_id
      where t.name = 'asking many' and p.user_id = any(${members}::bigint[]) order by p.user_id`);
    expect(policies).toEqual(members.map((id) => ({ id, policy: id === first.id ? 1 : 3 })));
  });
});

test("a mention of everyone in a topic or channel makes nobody follow the topic", async () => {
  await say("ada", "asking all");
  await say("dev", "asking all");
  const heard = await followAll(harness, everybody, async () => {
    await say("ada", "asking all", { content: "@**topic**" });
    await say("ada", "asking all", { content: "@**all**" });
  });
  for (const name of ["dev", "gus"] as const) expect(eventNames(heard[name])).toEqual(["message", "message"]);
  expect([await policyOf("dev", "asking all"), await policyOf("gus", "asking all")]).toEqual([0, 0]);
});

test("a node learns the policies that people set through another node", async () => {
  await choose("dev", { follow: SENDING });
  const there = await OrganizationState.load(
    harness.state.database,
    harness.state.organizationId,
    harness.state.parts,
  );
  const viewer = {
    state: there,
    user: there.get(users).find(harness.user("dev").id) as User,
    client: "test",
  };
  const sendThere = async () => {
    await there.catchUp();
    const to = { kind: "channel", channel: { id: kitchen }, topic: "two nodes" } as const;
    const { newPolicy } = await send(viewer, { to, content: "Soup?", localEcho: null, readBySender: null });
    return newPolicy;
  };
  expect(await sendThere()).toBe(3);
  expect(await sendThere()).toBeUndefined();
  await wish("dev", "two nodes", 0);
  expect(await sendThere()).toBe(3);
  await wish("dev", "two nodes", 1);
  expect(await sendThere()).toBe(3);
});

test("many people can start topics at the same time without conflicts", async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => say(n % 2 === 0 ? "dev" : "ben", `at once ${n}`)),
  );
  expect(answers.map((answer) => answer.automatic_new_visibility_policy)).toEqual(Array(40).fill(3));
});
