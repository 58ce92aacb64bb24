import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import { PASSWORD } from "../harness/accounts.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, type Follower, follow, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { Random } from "../harness/random.ts";
import { howToRepeat, seed } from "../harness/seed.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
  await harness.channel("garden", ["ada", "dev", "elin"]);
  await limit(true);
});
afterAll(() => harness.close());

const id = (name: CastName) => harness.user(name).id;
const say = sayIn(() => harness);

async function limit(isLimited: boolean): Promise<unknown> {
  const { body } = await harness.as("ada").get("/user_groups");
  const name = isLimited ? "role:members" : "role:everyone";
  const group = body.user_groups.find((each: { name: string }) => each.name === name);
  return harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } });
}

const subscribe = (name: string, principals: CastName[]) =>
  harness.as("ada").post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: principals.map(id),
  });

const unsubscribe = (name: string, principals: CastName[]) =>
  harness.as("ada").delete("/users/me/subscriptions", {
    subscriptions: [name],
    principals: principals.map(id),
  });

test("a guest gets to know of somebody before any other event names them", async () => {
  const events = await follow(harness, "gus", () => expectSuccess(subscribe("kitchen", ["elin"])));
  expect(eventNames(events)[0]).toBe("realm_user/add");
  expect(events[0]?.person).toMatchObject({ user_id: id("elin"), full_name: "Elin Berg" });
  expect(eventNames(events)).toContain("subscription/peer_add");
});

test("a guest may no longer know of somebody who leaves the last channel that they share", async () => {
  const events = await follow(harness, "gus", () => expectSuccess(unsubscribe("kitchen", ["elin"])));
  expect(events.at(-1)).toMatchObject({
    type: "realm_user",
    op: "remove",
    person: { user_id: id("elin"), full_name: "Unknown user" },
  });
});

test("a guest who joins a channel gets to know of its subscribers", async () => {
  const joined = await follow(harness, "gus", () => expectSuccess(subscribe("garden", ["gus"])));
  expect(eventNames(joined)[0]).toBe("realm_user/add");
  const left = await follow(harness, "gus", () => expectSuccess(unsubscribe("garden", ["gus"])));
  expect(eventNames(left)).toContain("realm_user/remove");
});

test("the first direct message makes its sender known, also when the sender shares no channel", async () => {
  const greet = () => say("cleo", [id("gus")], { type: "direct", topic: undefined });
  const first = await follow(harness, "gus", greet);
  expect(eventNames(first)[0]).toBe("realm_user/add");
  expect(eventNames(first).at(-1)).toBe("message");
  const second = await follow(harness, "gus", greet);
  expect(eventNames(second)).toEqual(["message"]);
});

test("a guest who becomes a member gets to know of everybody, and the other way round", async () => {
  const setRole = (role: number) => expectSuccess(harness.as("ada").patch(`/users/${id("gus")}`, { role }));
  const up = await follow(harness, "gus", () => setRole(roles.member));
  expect(eventNames(up)).toContain("realm_user/add");
  const down = await follow(harness, "gus", () => setRole(roles.guest));
  expect(eventNames(down)).toContain("realm_user/remove");
});

test("a guest gets to know of somebody who is reactivated and shares a channel with them", async () => {
  const ada = harness.as("ada");
  await expectSuccess(ada.delete(`/users/${id("dev")}`));
  const events = await follow(harness, "gus", () =>
    expectSuccess(ada.post(`/users/${id("dev")}/reactivate`)),
  );
  expect(eventNames(events)[0]).toBe("realm_user/add");
  expect(events[0]?.person).toMatchObject({ user_id: id("dev") });
});

test("a guest who gets to know of somebody learns their status", async () => {
  await expectSuccess(harness.as("ben").post("/users/me/status", { status_text: "Here" }));
  const greet = () => say("ben", [id("gus")], { type: "direct", topic: undefined });
  const greeted = await follow(harness, "gus", greet);
  expect(eventNames(greeted)).toContain("user_status");
  await expectSuccess(harness.as("elin").post("/users/me/status", { status_text: "Here" }));
  const setRole = (role: number) => expectSuccess(harness.as("ada").patch(`/users/${id("gus")}`, { role }));
  const risen = await follow(harness, "gus", () => setRole(roles.member));
  expect(risen).toContainEqual(expect.objectContaining({ type: "user_status", user_id: id("elin") }));
  await setRole(roles.guest);
});

test("when the setting changes, guests get to know of everybody, or of their own people alone", async () => {
  const off = await follow(harness, "gus", () => limit(false));
  expect(eventNames(off)).toContain("realm_user/add");
  const on = await follow(harness, "gus", () => limit(true));
  expect(eventNames(on)).toContain("realm_user/remove");
});

test("somebody new in a channel of a guest comes as an account and only then as a subscriber", async () => {
  const { body } = await harness.as("gus").get("/users/me/subscriptions");
  const kitchen = body.subscriptions.find((each: { name: string }) => each.name === "kitchen");
  await expectSuccess(harness.as("ada").post("/default_streams", { stream_id: kitchen.stream_id }));
  const person = { email: "nina@demo.test", full_name: "Nina Holt", password: PASSWORD };
  const events = await follow(harness, "gus", () => expectSuccess(harness.as("ada").post("/users", person)));
  expect(eventNames(events)[0]).toBe("realm_user/add");
  expect(JSON.stringify(events)).toContain("Nina Holt");
});

describe("a queue of a guest that reads the log again", () => {
  /** What gus's clients get of it; their models must equal fresh ones. */
  async function hear(verb: () => Promise<unknown>): Promise<QueuedEvent[]> {
    const followers = await startAll(harness, ["gus"], { forms: [forms.modern, forms.plain] });
    for (const follower of followers) follower.turnCold();
    await verb();
    await Promise.all(followers.map((follower) => follower.catchUp()));
    await Promise.all(followers.map((follower) => follower.compare()));
    await Promise.all(followers.map((follower) => follower.stop()));
    return followers.flatMap(({ events }) => events);
  }
  const makeGroup = async (name: string, ...people: CastName[]): Promise<number> => {
    const group = { name, description: "", members: people.map(id) };
    return (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
  };
  const removeFrom = (group: number, ...people: CastName[]) =>
    expectSuccess(harness.as("ada").post(`/user_groups/${group}/members`, { delete: people.map(id) }));

  test("leaves nobody in a group who left it before they became unknown", async () => {
    const group = await makeGroup("bakers", "dev", "elin", "cleo");
    await limit(false);
    await hear(async () => {
      await removeFrom(group, "elin", "dev");
      await expectSuccess(harness.as("ada").delete(`/users/${id("elin")}`));
      await limit(true);
    });
    await expectSuccess(harness.as("ada").post(`/users/${id("elin")}/reactivate`));
  });

  test("says nothing of the groups of people who were unknown throughout", async () => {
    const group = await makeGroup("brewers", "dev", "elin");
    const events = await hear(() => removeFrom(group, "elin", "dev"));
    const removed = events.filter(({ op }) => op === "remove_members");
    expect(removed.map(({ user_ids }) => user_ids)).toEqual([[id("dev")], [id("dev")]]);
  });
});

const STEPS = 150;
const repeat = howToRepeat("test/replay/limited-guests.test.ts");
const people: readonly CastName[] = ["ben", "cleo", "dev", "elin", "gus", "echo"];
const channelNames = ["kitchen", "garden", "attic", "square"];

class Dice extends Random {
  some<T>(of: readonly T[]): T[] {
    return of.filter(() => this.upTo(100) < 35);
  }
}

let groupId: number;
let made = 0;
const sent: number[] = [];

const verbs: ((dice: Dice) => Promise<{ status: number; body: unknown }>)[] = [
  (dice) => subscribe(dice.pick(channelNames), dice.some(people)),
  (dice) => subscribe(dice.pick(channelNames), [dice.pick(people)]),
  (dice) => unsubscribe(dice.pick(channelNames), dice.some(people)),
  (dice) => unsubscribe(dice.pick(channelNames), [dice.pick(people)]),
  async (dice) => {
    const message =
      dice.upTo(2) === 0
        ? { type: "direct", to: dice.some(people).map(id), content: "Soup?" }
        : { type: "channel", to: dice.pick(channelNames), topic: "lunch", content: "@**Dev Rao** soup?" };
    const answer = await harness.as(dice.pick(people)).post("/messages", message);
    if (answer.status === 200) sent.push(answer.body.id);
    return answer;
  },
  (dice) =>
    harness
      .as(dice.pick(people))
      .post(`/messages/${dice.pick(sent.slice(-5)) ?? 0}/reactions`, { emoji_name: "octopus" }),
  (dice) =>
    harness
      .as("ada")
      .patch(`/users/${id(dice.pick(["gus", "elin"]))}`, { role: dice.pick([roles.guest, roles.member]) }),
  (dice) =>
    harness.as("ada").patch(`/users/${id(dice.pick(people))}`, { full_name: `Name ${dice.upTo(1000)}` }),
  (dice) => {
    const target = id(dice.pick(["cleo", "dev"]));
    const as = harness.as("ada");
    return dice.upTo(2) === 0 ? as.delete(`/users/${target}`) : as.post(`/users/${target}/reactivate`);
  },
  (dice) => limit(dice.upTo(3) > 0) as Promise<{ status: number; body: unknown }>,
  (dice) =>
    harness.as("ada").post(`/user_groups/${groupId}/members`, {
      [dice.pick(["add", "delete"])]: [id(dice.pick(people))],
    }),
  (dice) => harness.as(dice.pick(people)).post("/users/me/status", { status_text: dice.pick(["", "busy"]) }),
  (dice) => harness.as(dice.pick(people)).post("/typing", { op: "start", to: dice.some(people).map(id) }),
  () => {
    const person = { email: `new${++made}@demo.test`, full_name: `New ${made}`, password: PASSWORD };
    return harness.as("ada").post("/users", person);
  },
  (dice) =>
    harness.as(dice.pick(people)).post("/user_groups/create", {
      name: `group ${dice.upTo(1000)}`,
      description: "",
      members: dice.some(people).map(id),
    }),
];

test(`after random changes a guest's models equal fresh snapshots (${repeat})`, async () => {
  const group = { name: "cooks", description: "", members: [id("dev"), id("elin")] };
  groupId = (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
  await harness.channel("square", ["dev", "elin"], { isWebPublic: true });
  const dice = new Dice(seed);
  const followers: Follower[] = [
    ...(await startAll(harness, ["gus", "elin"], { forms: [forms.modern, forms.plain, forms.partial] })),
    ...(await startAll(harness, ["ada"], { forms: [forms.modern] })),
  ];
  let done = 0;
  for (let step = 0; step < STEPS; step++) {
    const { status, body } = await dice.pick(verbs)(dice);
    expect(status, `${repeat}, step ${step}: ${JSON.stringify(body)}`).toBeLessThan(500);
    if (status === 200) done++;
    await Promise.all(followers.map((follower) => follower.catchUp()));
    if (step % 15 === 14) await Promise.all(followers.map((follower) => follower.compare()));
  }
  await Promise.all(followers.map((follower) => follower.compare()));
  expect(done).toBeGreaterThan(STEPS / 3);
}, 300_000);
