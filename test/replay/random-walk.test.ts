import { afterAll, beforeAll, expect, test } from "vitest";
import { type Follower, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { Random } from "../harness/random.ts";

const STEPS = 400;
/** PARLEY_SEED chooses the seed, to repeat a failed walk or to run another one. */
const seed = Number(process.env.PARLEY_SEED ?? 20_260_301);

const actors: readonly CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];
const channelNames = ["kitchen", "garden", "leads", "square", "attic", "cellar", "roof"];
const topics = ["lunch", "Dinner", "", "deploy"];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  await harness.channel("kitchen", ["ada", "cleo", "dev", "gus"], { isDefault: true });
  await harness.channel("leads", ["ada", "cleo"], { isPrivate: true });
});
afterAll(() => harness.close());

type Verb = (dice: Dice) => Promise<{ status: number; body: unknown }>;

class Dice extends Random {
  chance(percent: number): boolean {
    return this.upTo(100) < percent;
  }
  some<T>(of: readonly T[]): T[] {
    return of.filter(() => this.chance(35));
  }
}

const sent: number[] = [];
const groups: number[] = [];
let people = 0;

const ids = (names: readonly CastName[]) => names.map((name) => harness.user(name).id);

const contents = [
  "Soup?",
  "@**Dev Rao** soup",
  "@**all** soup",
  "@*role:members*",
  "@_**Ada Osei**",
  "see #**leads**",
  "/poll Soup?\nleek",
];

async function keep(answer: ReturnType<Verb>): ReturnType<Verb> {
  const { status, body } = await answer;
  if (status === 200) sent.push((body as { id: number }).id);
  return { status, body };
}

const verbs: readonly [weight: number, verb: Verb][] = [
  [
    8,
    (dice) =>
      keep(
        harness.as(dice.pick(actors)).post("/messages", {
          type: "channel",
          to: dice.pick(channelNames),
          topic: dice.pick(topics),
          content: dice.pick(contents),
          read_by_sender: dice.chance(50),
        }),
      ),
  ],
  [
    5,
    (dice) =>
      keep(
        harness.as(dice.pick(actors)).post("/messages", {
          type: "direct",
          to: ids(dice.some(actors)),
          content: dice.pick(contents),
          read_by_sender: dice.chance(50),
        }),
      ),
  ],
  [
    8,
    (dice) =>
      harness.as(dice.pick(actors)).post("/messages/flags", {
        messages: dice.some(sent.slice(-12)),
        op: dice.pick(["add", "add", "remove"]),
        flag: dice.pick(["read", "read", "starred", "collapsed"]),
      }),
  ],
  [
    5,
    (dice) =>
      harness.as(dice.pick(actors)).post("/users/me/subscriptions", {
        subscriptions: [{ name: dice.pick(channelNames) }],
        ...(dice.chance(50) ? { principals: ids(dice.some(actors)) } : {}),
        ...dice.pick([{}, {}, { invite_only: true }, { is_web_public: true }, { is_default_stream: true }]),
        authorization_errors_fatal: dice.chance(50),
      }),
  ],
  [
    5,
    (dice) =>
      harness.as(dice.pick(actors)).delete("/users/me/subscriptions", {
        subscriptions: dice.some(channelNames),
        ...(dice.chance(50) ? { principals: ids(dice.some(actors)) } : {}),
      }),
  ],
  [
    2,
    (dice) =>
      harness.as(dice.pick(actors)).patch("/settings", {
        enter_sends: dice.chance(50),
        web_font_size_px: 12 + dice.upTo(8),
        twenty_four_hour_time: dice.chance(50),
      }),
  ],
  [
    1,
    (dice) =>
      harness.as(dice.pick(["ada", "ben", "dev"])).patch("/realm", {
        digest_weekday: dice.upTo(7),
        allow_message_editing: dice.chance(50),
      }),
  ],
  [
    2,
    (dice) =>
      harness
        .as(dice.pick(actors))
        .post("/typing", { op: dice.pick(["start", "stop"]), to: ids(dice.some(actors)) }),
  ],
  [
    1,
    (dice) => {
      const email = `someone${++people}@demo.test`;
      const person = { email, full_name: `Someone ${people}`, password: "correct horse battery" };
      return harness.as(dice.pick(["ada", "dev"])).post("/users", person);
    },
  ],
];

const groupVerbs: typeof verbs = [
  [
    2,
    async (dice) => {
      const answer = await harness.as(dice.pick(actors)).post("/user_groups/create", {
        name: dice.pick(["cooks", "gardeners", "smiths", "readers", "singers"]),
        description: "",
        members: ids(dice.some(actors)),
        subgroups: dice.some(groups.slice(-3)),
        can_manage_group: { direct_members: ids(["ada", "cleo", "dev"]), direct_subgroups: [] },
      });
      if (answer.status === 200) groups.push(answer.body.group_id);
      return answer;
    },
  ],
  [
    6,
    (dice) =>
      harness.as(dice.pick(actors)).post(`/user_groups/${dice.pick(groups) ?? 0}/members`, {
        ...(dice.chance(60)
          ? { add: [harness.user(dice.pick(actors)).id] }
          : { delete: [harness.user(dice.pick(actors)).id] }),
        ...(dice.chance(20) ? { add_subgroups: [dice.pick(groups) ?? 0] } : {}),
        ...(dice.chance(20) ? { delete_subgroups: [dice.pick(groups) ?? 0] } : {}),
      }),
  ],
  [
    3,
    (dice) => {
      const path = `/user_groups/${dice.pick(groups) ?? 0}`;
      const as = harness.as(dice.pick(["ada", "cleo", "dev"]));
      if (dice.chance(40)) return as.patch(path, { deactivated: false });
      return dice.chance(70) ? as.post(`${path}/deactivate`) : as.delete(path);
    },
  ],
  [
    4,
    async (dice) => {
      const { body } = await harness.as("ada").get("/streams", { include_all: true });
      const { stream_id } = dice.pick(body.streams as { stream_id: number }[]);
      const setting = dice.pick([
        "can_subscribe_group",
        "can_add_subscribers_group",
        "can_administer_channel_group",
      ]);
      const value = dice.chance(50)
        ? (dice.pick(groups) ?? 0)
        : { direct_members: ids(dice.some(actors)), direct_subgroups: dice.some(groups.slice(-2)) };
      return harness
        .as(dice.pick(["ada", "cleo"]))
        .patch(`/streams/${stream_id}`, { [setting]: { new: value } });
    },
  ],
];

async function anyChannel(dice: Dice): Promise<number> {
  const { body } = await harness.as("ada").get("/streams", { include_all: true, exclude_archived: false });
  return dice.pick(body.streams as { stream_id: number }[]).stream_id;
}

const channelVerbs: typeof verbs = [
  [
    5,
    async (dice) =>
      harness.as(dice.pick(["ada", "ada", "ben", "dev"])).patch(`/streams/${await anyChannel(dice)}`, {
        ...dice.pick<Record<string, unknown>>([
          { is_private: false },
          { is_private: true },
          { is_private: true, history_public_to_subscribers: true },
          { is_private: false, is_web_public: true },
          { is_web_public: false },
          { is_private: true, is_default_stream: false, is_web_public: false },
        ]),
        ...(dice.chance(20) ? { new_name: dice.pick(channelNames) } : {}),
        ...(dice.chance(20) ? { description: dice.pick(contents) } : {}),
        ...(dice.chance(20) ? { topics_policy: dice.pick(["inherit", "disable_empty_topic"]) } : {}),
        ...(dice.chance(20) ? { is_default_stream: dice.chance(50) } : {}),
      }),
  ],
  [2, async (dice) => harness.as(dice.pick(["ada", "dev"])).delete(`/streams/${await anyChannel(dice)}`)],
  [
    4,
    async (dice) =>
      harness
        .as(dice.pick(["ada", "ben"]))
        .patch(`/streams/${await anyChannel(dice)}`, { is_archived: false }),
  ],
];

const recent = (dice: Dice) => dice.pick(sent.slice(-12)) ?? 0;

const messageVerbs: typeof verbs = [
  [
    3,
    (dice) => {
      const path = `/messages/${recent(dice)}/reactions`;
      const emoji = { emoji_name: dice.pick(["octopus", "+1"]) };
      const as = harness.as(dice.pick(actors));
      return dice.chance(70) ? as.post(path, emoji) : as.delete(path, emoji);
    },
  ],
  [
    3,
    (dice) =>
      harness.as(dice.pick(actors)).post("/submessage", {
        message_id: recent(dice),
        msg_type: "widget",
        content: dice.pick([
          { type: "vote", key: "canned,0", vote: 1 },
          { type: "new_option", idx: 1, option: "stew" },
        ]),
      }),
  ],
  [
    4,
    async (dice) => {
      const { body } = await harness.as("ada").get("/streams", { include_all: true });
      return harness.as(dice.pick(["ada", "ada", "cleo", "dev"])).patch(`/messages/${recent(dice)}`, {
        ...(dice.chance(50)
          ? { stream_id: dice.pick(body.streams as { stream_id: number }[]).stream_id }
          : {}),
        topic: dice.pick(topics),
        propagate_mode: dice.pick(["change_one", "change_later", "change_all"]),
      });
    },
  ],
  [
    4,
    (dice) =>
      harness.as(dice.pick(actors)).patch(`/messages/${recent(dice)}`, { content: dice.pick(contents) }),
  ],
  [2, (dice) => harness.as(dice.pick(["ada", "ada", "dev"])).delete(`/messages/${recent(dice)}`)],
  [
    1,
    (dice) =>
      harness
        .as(dice.pick(actors))
        .post(`/messages/${recent(dice)}/typing`, { op: dice.pick(["start", "stop"]) }),
  ],
];

/** Policies for topics, settings of subscriptions, alert words and muted users. */
const ownVerbs: typeof verbs = [
  [
    4,
    async (dice) =>
      harness.as(dice.pick(actors)).post("/user_topics", {
        stream_id: await anyChannel(dice),
        topic: dice.pick(topics),
        visibility_policy: dice.upTo(4),
      }),
  ],
  [
    2,
    async (dice) =>
      harness.as(dice.pick(actors)).post("/users/me/subscriptions/properties", {
        subscription_data: [
          { stream_id: await anyChannel(dice), property: "is_muted", value: dice.chance(50) },
        ],
      }),
  ],
  [
    2,
    (dice) => {
      const path = `/users/me/muted_users/${harness.user(dice.pick(actors)).id}`;
      const as = harness.as(dice.pick(actors));
      return dice.chance(50) ? as.post(path) : as.delete(path);
    },
  ],
  [
    2,
    (dice) => {
      const words = { alert_words: dice.some(["soup", "SOUP?", "ben", "see"]) };
      const as = harness.as(dice.pick(actors));
      const path = "/users/me/alert_words";
      return dice.chance(60) ? as.post(path, words) : as.delete(path, words);
    },
  ],
];

const urn = [...verbs, ...groupVerbs, ...channelVerbs, ...messageVerbs, ...ownVerbs].flatMap(
  ([weight, verb]) => Array<Verb>(weight).fill(verb),
);

test(`after random changes every follower's model equals a fresh snapshot (seed ${seed})`, async () => {
  const dice = new Dice(seed);
  const followers: Follower[] = [
    ...(await startAll(harness, ["ada", "dev", "gus"], { forms: [forms.modern] })),
    ...(await startAll(harness, ["elin", "gus"], { forms: [forms.partial] })),
    ...(await startAll(harness, ["cleo", "echo", "zed"], { forms: [forms.plain] })),
  ];
  const outcomes = { done: 0, refused: 0 };
  for (let step = 0; step < STEPS; step++) {
    const { status, body } = await dice.pick(urn)(dice);
    expect(status, `seed ${seed}, step ${step}: ${JSON.stringify(body)}`).toBeLessThan(500);
    outcomes[status === 200 ? "done" : "refused"]++;
    // Some follow closely, others let a little pile up.
    for (const [index, follower] of followers.entries())
      if (step % (index + 1) === 0) await follower.catchUp();
  }
  for (const follower of followers) {
    await follower.catchUp();
    await follower.compare();
  }
  expect(outcomes.done).toBeGreaterThan(STEPS / 3);
  expect(outcomes.refused).toBeGreaterThan(0);
}, 120_000);
