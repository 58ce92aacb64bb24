/** People who join and leave at the same moment get what they would get one by one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../../api/errors.ts";
import { eventNames, everybody, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { deactivateUser } from "../../people/actions.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { sql } from "../../platform/db/sql.ts";
import { type Change, runStateChange } from "../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { changeChannel } from "../update/update.ts";
import { changeOwnInGroup, type OwnOutcome } from "./own-subscriptions.ts";
import { subscribers } from "./subscribers.ts";

const FILE = "server/channels/subscriptions/own-subscriptions.test.ts";
const people = ["ada", "ben", "cleo", "dev", "elin", "gus"] as const satisfies CastName[];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

interface Act {
  name: CastName;
  join?: readonly string[];
  leave?: readonly string[];
  isFatal?: boolean;
}

/** What the act changes, by channel, or its error. */
async function perform(
  { name, join = [], leave = [], isFatal = true }: Act,
  viewer = harness.user(name).viewer,
) {
  const request = { viewer, join: join.map((each) => ({ name: each })), leave, isFatal };
  try {
    const outcome = await changeOwnInGroup(request);
    return outcome && present(outcome);
  } catch (error) {
    if (error instanceof ApiError) return `${error.declaration.code} ${error.message}`;
    throw error;
  }
}

function present({ joined, left, unauthorized }: OwnOutcome) {
  const changed = (outcomes: OwnOutcome["joined"]) =>
    outcomes.filter((each) => each.changed.length > 0).map(({ channel }) => channel.name);
  return { joined: changed(joined), left: changed(left), unauthorized: [...unauthorized] };
}

const nothing = { joined: [], left: [], unauthorized: [] };

/** Makes the acts wait for a state change, so that they are made together after it. */
async function together(acts: readonly Act[], before: (tx: Change) => Promise<unknown> = async () => {}) {
  let waiting: Promise<unknown[]> | undefined;
  await runStateChange(harness.state, async (tx) => {
    await before(tx);
    waiting = Promise.all(acts.map((act) => perform(act)));
  });
  return waiting;
}

/** By name of the channel, who is subscribed by the rows and by memory, which must say the same. */
async function subscribed(channel: Channel, state = harness.state): Promise<string[]> {
  const rows = await state.database.query<{ id: number }>(sql`
    select user_id as id from subscriptions
    where organization_id = ${state.organizationId} and channel_id = ${channel.id} and to_position_ref is null
    order by user_id`);
  const ids = rows.map(({ id }) => id);
  expect([...state.get(subscribers).of(channel.id)].sort((a, b) => a - b)).toEqual(ids);
  return people.filter((name) => ids.includes(harness.user(name).id));
}

test("those who join and leave at once share entries, and everybody is told", async () => {
  const kitchen = await harness.channel("kitchen", ["ada", "elin"]);
  const garden = await harness.channel("garden", ["elin"]);
  let answers: unknown;
  const { position } = harness.state;
  const heard = await followAll(harness, everybody, async () => {
    answers = await together([
      { name: "ben", join: ["kitchen"] },
      { name: "dev", join: ["kitchen", "garden"] },
      { name: "cleo", join: ["kitchen"] },
      { name: "ada", leave: ["kitchen"], join: ["garden"] },
      { name: "elin", leave: ["kitchen"], join: ["garden"] },
    ]);
  });
  expect(answers).toEqual([
    { ...nothing, joined: ["kitchen"] },
    { ...nothing, joined: ["kitchen", "garden"] },
    { ...nothing, joined: ["kitchen"] },
    { ...nothing, joined: ["garden"], left: ["kitchen"] },
    { ...nothing, left: ["kitchen"] },
  ]);
  expect(await subscribed(kitchen)).toEqual(["ben", "cleo", "dev"]);
  expect(await subscribed(garden)).toEqual(["ada", "dev", "elin"]);
  // The garden's new people come first, those who leave the kitchen last.
  expect(eventNames(heard.ben)).toEqual([
    "subscription/peer_add",
    "subscription/add",
    "subscription/peer_remove",
  ]);
  const rows = await harness.state.database.query(sql`
    select distinct from_position_ref from subscriptions
    where organization_id = ${harness.state.organizationId} and channel_id in (${kitchen.id}, ${garden.id})
      and to_position_ref is null and from_position_ref > (
        select max(id) from log_positions where position <= ${position})`);
  expect(rows).toHaveLength(1);
});

test("what one may not do is refused for that person alone", async () => {
  const hall = await harness.channel("hall", ["ada"]);
  const vault = await harness.channel("vault", ["ada"], { isPrivate: true });
  const answers = await together([
    { name: "dev", join: ["hall", "vault"] },
    { name: "dev", join: ["hall", "vault"], isFatal: false },
    { name: "gus", join: ["hall"] },
    { name: "cleo", leave: ["vault"] },
    { name: "cleo", join: ["hall"], leave: ["hall"] },
    { name: "elin", join: ["hall"] },
    { name: "elin", join: ["hall"] },
    { name: "elin", leave: ["hall"] },
  ]);
  expect(answers).toEqual([
    "BAD_REQUEST Unable to access channel (vault).",
    { ...nothing, joined: ["hall"], unauthorized: ["vault"] },
    "BAD_REQUEST Unable to access channel (hall).",
    expect.stringContaining("vault"),
    { ...nothing, joined: ["hall"] },
    { ...nothing, joined: ["hall"] },
    nothing,
    { ...nothing, left: ["hall"] },
  ]);
  expect(await subscribed(hall)).toEqual(["ada", "cleo", "dev"]);
  expect(await subscribed(vault)).toEqual(["ada"]);
});

test("a channel is made by a change of its own", async () => {
  expect(await perform({ name: "dev", join: ["not there"] })).toBeUndefined();
  const shed = await harness.channel("shed", ["dev"]);
  const renaming = (tx: Change) => changeChannel(tx, shed, { ...shed, name: "barn" });
  expect(await together([{ name: "elin", join: ["shed"] }], renaming)).toEqual([undefined]);
});

test("what changes while they wait decides", async () => {
  const lounge = await harness.channel("lounge", ["ada"]);
  const closing = (tx: Change) => changeChannel(tx, lounge, { ...lounge, isPrivate: true });
  const answers = await together(
    [
      { name: "dev", join: ["lounge"] },
      { name: "ada", leave: ["lounge"] },
    ],
    closing,
  );
  expect(answers).toEqual([
    "BAD_REQUEST Unable to access channel (lounge).",
    { ...nothing, left: ["lounge"] },
  ]);
  expect(await subscribed(lounge)).toEqual([]);
});

test("what the database refuses for one person fails alone", async () => {
  const market = await harness.channel("market", ["ada"]);
  const { database } = harness.state;
  const refused = harness.user("elin").id;
  await database.transaction(({ client }) =>
    client.query(`alter table subscriptions add constraint refused check (user_id <> ${refused}) not valid`),
  );
  let outcomes: PromiseSettledResult<unknown>[] = [];
  let waiting: Promise<typeof outcomes> | undefined;
  await runStateChange(harness.state, async () => {
    const acts = (["dev", "elin", "ben", "cleo"] as const).map((name) => ({ name, join: ["market"] }));
    waiting = Promise.allSettled(
      [...acts, { name: "ada", leave: ["market"] } as Act].map((act) => perform(act)),
    );
  });
  outcomes = (await waiting) ?? [];
  await database.transaction(({ client }) =>
    client.query("alter table subscriptions drop constraint refused"),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await subscribed(market)).toEqual(["ben", "cleo", "dev"]);
});

test("messages that are sent meanwhile are received by those who were there, and by nobody twice", async () => {
  const channel = await harness.channel("station", ["ada"]);
  await followAll(harness, everybody, async () => {
    const say = (content: string) =>
      harness.as("ada").post("/messages", { type: "channel", to: "station", topic: "t", content });
    const acts = people.slice(1, 5).map((name) => ({ name, join: ["station"] }));
    await Promise.all([say("one"), together(acts), say("two"), say("three")]);
    await Promise.all([say("four"), ...acts.map(({ name }) => perform({ name, leave: ["station"] }))]);
  });
  expect(await subscribed(channel)).toEqual(["ada"]);
});

function randomActs(random: Random, names: readonly string[], count: number): Act[] {
  return Array.from({ length: count }, () => {
    const [one, other, third] = random.shuffle(names) as [string, string, string];
    const name = random.pick(people);
    const form = random.upTo(4);
    if (form === 0) return { name, join: [one, other], leave: [third], isFatal: random.upTo(2) === 0 };
    return form === 1 ? { name, leave: [one] } : { name, join: [one], isFatal: random.upTo(2) === 0 };
  });
}

test(`in groups they come to what they come to one by one (seed ${seed})`, async () => {
  const random = new Random(seed);
  const other = await createHarness();
  const names = ["alpha", "beta", "gamma", "delta"];
  for (const world of [harness, other]) {
    for (const name of names) {
      await world.channel(name, ["ada", "gus"], {
        isPrivate: name === "delta",
        isWebPublic: name === "beta",
      });
    }
  }
  const standing = async ({ state, user }: Harness, name: string) => {
    const [row] = await state.database.query<{ ids: number[] }>(sql`
      select array_agg(s.user_id order by s.user_id) as ids from subscriptions s
      join channels c on c.organization_id = s.organization_id and c.id = s.channel_id
      where s.organization_id = ${state.organizationId} and c.name = ${name} and to_position_ref is null`);
    return people.filter((each) => row?.ids?.includes(user(each).id));
  };
  for (let round = 0; round < 6; round++) {
    const acts = randomActs(random, names, 20);
    let answers: unknown[] | undefined;
    await followAll(harness, everybody, async () => {
      answers = await together(acts);
    });
    // One person's requests are made in their order, and those of different people don't affect each other.
    const inOrder: unknown[] = [];
    for (const act of acts) inOrder.push(await perform(act, other.user(act.name).viewer));
    expect(answers, howToRepeat(FILE)).toEqual(inOrder);
    for (const name of names)
      expect(await standing(harness, name), howToRepeat(FILE)).toEqual(await standing(other, name));
  }
  await other.close();
}, 120_000);

test("on two nodes they give one log", async () => {
  const channel = await harness.channel("square", ["ada"]);
  const node = await Node.start(harness.services.config, harness.state.database.connection);
  const viewer = (name: CastName): Viewer => ({
    ...harness.user(name).viewer,
    state: node.state,
    user: node.state.get(users).byId.get(harness.user(name).id) ?? harness.user(name).user,
  });
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      people.slice(1, 5).flatMap((name, index) => {
        const act = round % 2 === 0 ? { name, join: ["square"] } : { name, leave: ["square"] };
        return index % 2 === 0 ? [perform(act), perform(act, viewer(name))] : [perform(act, viewer(name))];
      }),
    );
    await harness.state.catchUp();
    await node.state.catchUp();
    expect(await subscribed(channel)).toEqual(await subscribed(channel, node.state));
  }
  await node.stop();
});

test("a person who is deactivated while they wait does not join", async () => {
  const channel = await harness.channel("pier", ["ada"]);
  const elin = harness.user("elin").user;
  const answers = await together(
    [
      { name: "elin", join: ["pier"] },
      { name: "dev", join: ["pier"] },
    ],
    (tx) => deactivateUser(tx, elin),
  );
  expect(answers).toEqual(["UNAUTHORIZED Account is deactivated", { ...nothing, joined: ["pier"] }]);
  expect(await subscribed(channel)).toEqual(["ada", "dev"]);
});
