// A private channel names a group, which has a group in it, which has another one in it. elin is in the
// innermost and not subscribed. gus, a guest, is in it too.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { eventNames, Follower, forms } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
let outer: number;
let middle: number;
let inner: number;
let vault: number;
const say = sayIn(() => harness);
const ada = () => harness.as("ada");
const id = (name: CastName) => harness.user(name).id;

beforeEach(async () => {
  await harness?.close();
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  inner = await makeGroup("inner", [id("elin"), id("gus")], []);
  middle = await makeGroup("middle", [], [inner]);
  outer = await makeGroup("outer", [], [middle]);
  vault = (await harness.channel("vault", ["ada", "dev"], { isPrivate: true, isHistoryShared: true })).id;
  await name("can_subscribe_group", outer);
});
afterAll(() => harness.close());

async function makeGroup(groupName: string, members: number[], subgroups: number[]): Promise<number> {
  const group = { name: groupName, description: "", members, subgroups };
  return (await expectSuccess(ada().post("/user_groups/create", group))).group_id;
}

const name = (permission: string, group: number) =>
  expectSuccess(ada().patch(`/streams/${vault}`, { [permission]: { new: group } }));

const edit = (message: number, content: string) =>
  expectSuccess(harness.as("dev").patch(`/messages/${message}`, { content }));

const listVault = (viewer: CastName) =>
  harness.as(viewer).get("/messages", {
    ...{ anchor: "newest", num_before: 10, num_after: 0 },
    narrow: [{ operator: "channel", operand: vault }],
  });

const losses: Record<string, () => Promise<unknown>> = {
  "leaves the innermost group": () =>
    expectSuccess(ada().post(`/user_groups/${inner}/members`, { delete: [id("elin")] })),
  "stays in a group that is taken out of the middle": () =>
    expectSuccess(ada().post(`/user_groups/${middle}/subgroups`, { delete: [inner] })),
  "stays in a group whose outer one loses the middle": () =>
    expectSuccess(ada().post(`/user_groups/${outer}/subgroups`, { delete: [middle] })),
  "is in no group that the channel names any more": async () => name("can_subscribe_group", await nobody()),
  "becomes a guest": () => expectSuccess(ada().patch(`/users/${id("elin")}`, { role: 600 })),
};

async function nobody(): Promise<number> {
  const { user_groups: all } = await expectSuccess(ada().get("/user_groups"));
  return all.find((each: { name: string }) => each.name === "role:nobody").id;
}

describe.each(Object.keys(losses))("a person who %s", (title) => {
  const lose = losses[title] as () => Promise<unknown>;

  test("reads the channel before, and nothing of it after, live or late", async () => {
    const message = await say("dev", "vault", { content: "the first text" });
    expect((await listVault("elin")).body.messages.at(-1).content).toContain("the first text");
    const star = { messages: [message], op: "add", flag: "starred" };
    await expectSuccess(harness.as("elin").post("/messages/flags", star));
    const live = await Follower.start(harness, "elin", forms.modern);
    const late = await Follower.start(harness, "elin", forms.modern);
    await edit(message, "the second text");
    await live.catchUp();
    expect(JSON.stringify(live.events)).toContain("the second text");
    late.turnCold();
    await lose();
    await edit(message, "the third text");
    await say("dev", "vault", { content: "the fourth text" });
    await live.catchUp();
    await late.catchUp();
    for (const text of ["third", "fourth"]) expect(JSON.stringify(live.events)).not.toContain(text);
    for (const text of ["second", "third", "fourth"]) expect(JSON.stringify(late.events)).not.toContain(text);
    for (const { events } of [live, late]) expect(eventNames(events)).toContain("stream/delete");
    await live.compare();
    await late.compare();
    await refusal(listVault("elin"));
    await refusal(harness.as("elin").get(`/messages/${message}`));
    await refusal(harness.as("elin").get(`/users/me/${vault}/topics`));
    await refusal(harness.as("elin").post(`/messages/${message}/reactions`, { emoji_name: "smile" }));
    await refusal(harness.as("elin").post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }] }));
  });
});

test("a guest in the groups never sees the channel that names them", async () => {
  const gus = await Follower.start(harness, "gus", forms.modern);
  await say("dev", "vault", { content: "the first text" });
  await name("can_add_subscribers_group", outer);
  await name("can_administer_channel_group", outer);
  await gus.catchUp();
  expect(JSON.stringify(gus.events)).not.toContain("vault");
  await refusal(listVault("gus"));
  await gus.compare();
});

test("a guest may write by nested groups until a group in between is taken out", async () => {
  await harness.channel("kitchen", ["ada", "gus"]);
  const kitchen = (await expectSuccess(ada().get("/get_stream_id", { stream: "kitchen" }))).stream_id;
  await expectSuccess(ada().patch(`/streams/${kitchen}`, { can_send_message_group: { new: outer } }));
  await say("gus", "kitchen");
  await expectSuccess(ada().post(`/user_groups/${outer}/subgroups`, { delete: [middle] }));
  const message = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?" };
  await refusal(harness.as("gus").post("/messages", message));
  await expectSuccess(ada().post(`/user_groups/${outer}/subgroups`, { add: [middle] }));
  await say("gus", "kitchen");
});

test("a limited guest keeps knowing people by channels, whatever groups they share", async () => {
  const { user_groups: all } = await expectSuccess(ada().get("/user_groups"));
  const members = all.find((each: { name: string }) => each.name === "role:members").id;
  await expectSuccess(ada().patch("/realm", { can_access_all_users_group: { new: members } }));
  const live = await Follower.start(harness, "gus", forms.modern);
  const late = await Follower.start(harness, "gus", forms.modern);
  late.turnCold();
  const { user_groups: shown } = await expectSuccess(harness.as("gus").get("/user_groups"));
  expect(shown.find((each: { id: number }) => each.id === inner).members).toEqual([id("gus")]);
  await expectSuccess(ada().post(`/user_groups/${inner}/members`, { add: [id("ben")] }));
  await expectSuccess(ada().post(`/user_groups/${middle}/subgroups`, { delete: [inner] }));
  await expectSuccess(ada().post(`/user_groups/${inner}/members`, { delete: [id("elin")] }));
  for (const follower of [live, late]) {
    await follower.catchUp();
    const heard = JSON.stringify(follower.events);
    for (const stranger of ["ben", "elin"] as const) {
      expect(heard).not.toContain(harness.user(stranger).email);
      expect(heard).not.toContain(`"user_ids":[${id(stranger)}]`);
    }
    await follower.compare();
  }
});
