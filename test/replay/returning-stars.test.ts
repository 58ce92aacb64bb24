import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { expectSuccess } from "../harness/answers.ts";
import { followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let open: Channel;
let closed: Channel;
let starred = 0;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  open = await harness.channel(`open ${++count}`, ["ada", "dev", "elin"]);
  closed = await harness.channel(`closed ${count}`, ["ada", "dev"], {
    isPrivate: true,
    isHistoryShared: true,
  });
  starred = await say(open);
  await say(open);
  for (const name of ["dev", "elin"] as const) await star(name, [starred]);
});

const ada = () => harness.as("ada");
const id = (name: CastName) => harness.user(name).id;
const say = (channel: Channel) =>
  expectSuccess(
    ada().post("/messages", { type: "channel", to: channel.id, topic: "lunch", content: "Soup?" }),
  ).then((body) => body.id as number);
const star = (name: CastName, messages: number[]) =>
  expectSuccess(harness.as(name).post("/messages/flags", { messages, op: "add", flag: "starred" }));
const move = (message: number, channel: Channel) =>
  expectSuccess(ada().patch(`/messages/${message}`, { stream_id: channel.id, propagate_mode: "change_all" }));
const subscribe = (channel: Channel, ...people: CastName[]) =>
  expectSuccess(
    ada().post("/users/me/subscriptions", {
      subscriptions: [{ name: channel.name }],
      principals: people.map(id),
    }),
  );
const unsubscribe = (channel: Channel, ...people: CastName[]) =>
  expectSuccess(
    ada().delete("/users/me/subscriptions", {
      subscriptions: [channel.name],
      principals: people.map(id),
    }),
  );

const stars = (events: readonly QueuedEvent[] | undefined) =>
  (events ?? []).filter(({ type, flag }) => type === "update_message_flags" && flag === "starred");
const returned = (...messages: number[]) => [
  expect.objectContaining({ op: "add", flag: "starred", messages, all: false }),
];

test("a star comes back with a message that moved where its holder can't read, and back", async () => {
  await move(starred, closed);
  const heard = await followAll(harness, ["dev", "elin", "cleo"], () => move(starred, open));
  expect(stars(heard.elin)).toEqual(returned(starred));
  expect(stars(heard.dev), "dev could read it all the time").toEqual([]);
  expect(stars(heard.cleo), "cleo has no star on it").toEqual([]);
});

test("stars come back with the subscription to a private channel", async () => {
  const own = await say(closed);
  await star("dev", [own]);
  await unsubscribe(closed, "dev");
  const heard = await followAll(harness, ["dev", "elin"], () => subscribe(closed, "dev", "elin"));
  expect(stars(heard.dev)).toEqual(returned(own));
  expect(stars(heard.elin)).toEqual([]);
});

test("where history is not shared, the stars on received messages come back", async () => {
  const secret = await harness.channel(`secret ${count}`, ["ada", "dev"], {
    isPrivate: true,
    isHistoryShared: false,
  });
  const own = await say(secret);
  await star("dev", [own]);
  await unsubscribe(secret, "dev");
  const later = await say(open);
  await star("dev", [later]);
  await expectSuccess(ada().patch(`/messages/${later}`, { stream_id: secret.id }));
  const heard = await followAll(harness, ["dev"], () => subscribe(secret, "dev"));
  expect(stars(heard.dev)).toEqual(returned(own));
});

test("a subscription to a channel that its subscriber could read brings no stars", async () => {
  await unsubscribe(open, "elin");
  const heard = await followAll(harness, ["elin"], () => subscribe(open, "elin"));
  expect(stars(heard.elin)).toEqual([]);
});

test("stars come back when a private channel becomes public", async () => {
  await move(starred, closed);
  const heard = await followAll(harness, ["dev", "elin"], () =>
    expectSuccess(ada().patch(`/streams/${closed.id}`, { is_private: false })),
  );
  expect(stars(heard.elin)).toEqual(returned(starred));
  expect(stars(heard.dev)).toEqual([]);
});

test("stars come back when a guest becomes a member, or a group may join the channel", async () => {
  await unsubscribe(open, "elin");
  const setRole = (role: number) => expectSuccess(ada().patch(`/users/${id("elin")}`, { role }));
  await setRole(roles.guest);
  const risen = await followAll(harness, ["elin"], () => setRole(roles.member));
  expect(stars(risen.elin)).toMatchObject([{ op: "add", messages: expect.arrayContaining([starred]) }]);

  const { group_id } = await expectSuccess(
    ada().post("/user_groups/create", { name: `cooks ${count}`, description: "", members: [] }),
  );
  await move(starred, closed);
  await expectSuccess(ada().patch(`/streams/${closed.id}`, { can_subscribe_group: { new: group_id } }));
  const joined = await followAll(harness, ["elin"], () =>
    expectSuccess(ada().post(`/user_groups/${group_id}/members`, { add: [id("elin")] })),
  );
  expect(stars(joined.elin)).toEqual(returned(starred));
});

test("stars come back to a bot that becomes a member", async () => {
  const setRole = (role: number) => expectSuccess(ada().patch(`/bots/${id("echo")}`, { role }));
  await star("echo", [starred]);
  await setRole(roles.guest);
  const heard = await followAll(harness, ["echo"], () => setRole(roles.member));
  expect(stars(heard.echo)).toEqual(returned(starred));
});

test("stars come back when a subgroup, or a shorter waiting period, lets people join the channel", async () => {
  await unsubscribe(open, "elin");
  await expectSuccess(
    ada().patch(`/streams/${open.id}`, { is_private: true, history_public_to_subscribers: true }),
  );
  const make = async (name: string, members: CastName[]) => {
    const group = { name: `${name} ${count}`, description: "", members: members.map(id) };
    return (await expectSuccess(ada().post("/user_groups/create", group))).group_id as number;
  };
  const [outer, inner] = [await make("outer", []), await make("inner", ["elin"])];
  const setGroup = (group: number) =>
    expectSuccess(ada().patch(`/streams/${open.id}`, { can_subscribe_group: { new: group } }));
  await setGroup(outer);
  const included = await followAll(harness, ["elin"], () =>
    expectSuccess(ada().post(`/user_groups/${outer}/subgroups`, { add: [inner] })),
  );
  expect(stars(included.elin)).toEqual(returned(starred));

  const { user_groups } = await expectSuccess(ada().get("/user_groups"));
  const full = user_groups.find(({ name }: { name: string }) => name === "role:fullmembers");
  const setWaiting = (days: number) =>
    expectSuccess(ada().patch("/realm", { waiting_period_threshold: days }));
  await setWaiting(1000);
  await setGroup(full.id);
  const risen = await followAll(harness, ["elin"], () => setWaiting(0));
  expect(stars(risen.elin)).toMatchObject([{ op: "add", messages: expect.arrayContaining([starred]) }]);
});
