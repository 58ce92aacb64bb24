/**
 * Messages with files and policies on two nodes, while others delete, move, edit, leave and choose. After
 * each round the rows, the log and the memory of both nodes say the same.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../../api/errors.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Answer, type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { picture } from "../../../test/harness/pictures.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { users } from "../../people/user.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { send } from "./send.ts";

const FILE = "server/messages/send/grouped-walk.test.ts";
const ROUNDS = 5;
const AT_ONCE = 40;
const writers = ["ada", "cleo", "dev", "elin", "gus"] as const satisfies CastName[];
const topics = ["lunch", "dinner", "soup"];

let harness: Harness;
let node: Node;
let secret: string;
const urls: string[] = [];
const channelIds: Record<string, number> = {};
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  for (const [name, isPrivate] of [
    ["kitchen", false],
    ["garden", false],
    ["leads", true],
  ] as const) {
    const subscribed: CastName[] = isPrivate ? ["ada", "dev"] : [...writers];
    channelIds[name] = (await harness.channel(name, subscribed, { isPrivate })).id;
  }
  const png = await picture("png", 40, 30);
  for (const name of [...writers, ...writers]) urls.push(await uploaded(harness, name, png, `${name}.png`));
  // Only ids of messages are replaced in what is announced.
  urls.push(await uploaded(harness, "dev", png, "'messages': [{'id': -1}].png"));
  secret = await uploaded(harness, "ada", png, "secret.png");
  await set("cleo", userSettings.automaticallyFollowTopicsPolicy.name, 1);
  await set("gus", userSettings.automaticallyUnmuteTopicsInMutedStreamsPolicy.name, 1);
  await set("gus", userSettings.automaticallyFollowTopicsPolicy.name, 4);
  node = await Node.start(harness.services.config, harness.state.database.connection);
}, 60_000);
afterAll(async () => {
  await node.stop();
  await harness.close();
});

const set = (name: CastName, setting: string, value: number) =>
  expectSuccess(harness.as(name).patch("/settings", { [setting]: value }));

const query = <T extends object>(statement: Sql) => harness.state.database.query<T>(statement);
const organizationId = () => harness.state.organizationId;

interface Walk {
  random: Random;
  sent: number[];
  round: number;
}

function viewerOn(state: OrganizationState, name: CastName) {
  const { viewer } = harness.user(name);
  return { ...viewer, state, user: state.get(users).byId.get(viewer.user.id) ?? viewer.user };
}

/** A refusal is fine, an error is not. */
const answered = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  expect([200, 400, 401, 403, 404], JSON.stringify(body)).toContain(status);
};

async function say(walk: Walk, index: number): Promise<void> {
  const { random, round } = walk;
  const by = random.pick(writers);
  const files = Array.from({ length: random.upTo(4) }, () => `[f](${random.pick(urls)})`);
  // Only who is in the private channel may open the secret, and nobody repeats it elsewhere.
  const isSecret = random.upTo(6) === 0;
  const isOutside = by !== "ada" && by !== "dev";
  if (isSecret) files.push(`[s](${secret})`);
  const mention = random.upTo(4) === 0 ? "@**Dev Rao** @**Gus Pike**" : "";
  const content = `${files.join(" ")} ${mention} number ${round} ${index}`;
  const topic = random.upTo(3) === 0 ? `dish ${round} ${random.upTo(6)}` : random.pick(topics);
  const channel = { name: isSecret && !isOutside ? "leads" : random.pick(["kitchen", "garden"]) };
  const to =
    random.upTo(6) === 0 && !(isSecret && !isOutside)
      ? { kind: "direct" as const, userIds: [harness.user(random.pick(writers)).id] }
      : { kind: "channel" as const, channel, topic };
  const state = random.pick([harness.state, node.state]);
  try {
    const { id } = await send(viewerOn(state, by), { to, content, localEcho: null, readBySender: null });
    if (channel.name !== "leads" || to.kind === "direct") walk.sent.push(id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

type Step = (walk: Walk) => Promise<unknown>;

const recent = ({ random, sent }: Walk): number => random.pick(sent.slice(-40)) ?? 1;
const public_ = ({ random }: Walk) => channelIds[random.pick(["kitchen", "garden"])] as number;

const others: readonly Step[] = [
  async ({ random }) => {
    const caller = harness.as(random.pick(writers));
    const { body } = await caller.get("/attachments");
    const own = (body.attachments ?? []).filter(({ name }: { name: string }) => name !== "secret.png");
    return answered(caller.delete(`/attachments/${random.pick<{ id: number }>(own)?.id ?? 0}`));
  },
  (walk) => answered(harness.as("ada").delete(`/messages/${recent(walk)}`)),
  (walk) =>
    answered(
      harness.as("ada").patch(`/messages/${recent(walk)}`, {
        ...(walk.random.upTo(2) === 0 ? { stream_id: public_(walk) } : {}),
        topic: walk.random.pick([...topics, `moved ${walk.round}`]),
        propagate_mode: walk.random.pick(["change_one", "change_later", "change_all"]),
      }),
    ),
  (walk) => {
    const content = `[e](${walk.random.pick(urls)}) edited ${walk.random.upTo(1000)}`;
    return answered(harness.as(walk.random.pick(writers)).patch(`/messages/${recent(walk)}`, { content }));
  },
  (walk) => {
    const { random } = walk;
    const place = { stream_id: public_(walk), topic: random.pick(topics) };
    const policy = { ...place, visibility_policy: random.upTo(4) };
    return answered(harness.as(random.pick(writers)).post("/user_topics", policy));
  },
  (walk) =>
    answered(
      harness.as(walk.random.pick(["cleo", "gus"])).post(`/messages/${recent(walk)}/reactions`, {
        emoji_name: walk.random.pick(["octopus", "+1", "tada"]),
      }),
    ),
  ({ random }) => {
    const name = random.pick(["dev", "elin", "gus"] as const);
    const property = { stream_id: channelIds.kitchen, property: "is_muted", value: random.upTo(2) === 0 };
    const subscription_data = JSON.stringify([property]);
    return answered(harness.as(name).post("/users/me/subscriptions/properties", { subscription_data }));
  },
  async () => {
    await answered(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["leads"] }));
    const back = { subscriptions: [{ name: "leads" }], principals: [harness.user("dev").id] };
    await answered(harness.as("ada").post("/users/me/subscriptions", back));
  },
  async () => {
    await answered(harness.as("ada").delete(`/users/${harness.user("elin").id}`));
    await answered(harness.as("ada").post(`/users/${harness.user("elin").id}/reactivate`));
  },
  async ({ random }) => {
    const name = random.pick(writers);
    try {
      urls.push(await uploaded(harness, name, await picture("png", 20, 20), `${name}.png`));
    } catch {
      // Elin may be deactivated at the moment.
    }
  },
];

interface UploadState {
  id: number;
  path: string;
  isUnlinked: boolean;
  ids: number[];
  announced: number[] | null;
}

async function checkUploads(): Promise<void> {
  const rows = await query<UploadState>(sql`
    select u.id, u.path, u.unlinked_since is not null as "isUnlinked",
      array(select l.message_id from message_uploads l
        where l.organization_id = u.organization_id and l.upload_id = u.id order by l.message_id) as ids,
      (select jsonb_path_query_array(e.payload, '$.attachment.messages[*].id') from events e
        where e.organization_id = u.organization_id and e.type = 'attachment' and e.payload->>'op' = 'update'
          and (e.payload->'attachment'->>'id')::bigint = u.id order by e.position desc limit 1) as announced
    from uploads u where u.organization_id = ${organizationId()}`);
  for (const { path, ids, announced, isUnlinked } of rows) {
    expect(announced ?? [], path).toEqual(ids.slice(-100));
    expect(isUnlinked, path).toBe(ids.length === 0);
  }
  const lost = await query(sql`
    select l.* from message_uploads l left join messages m on m.organization_id = l.organization_id and m.id = l.message_id
    where l.organization_id = ${organizationId()} and m.id is null`);
  expect(lost).toEqual([]);
  // A text shows no picture that it does not link.
  const shown = await query(sql`
    select m.id, u.path, m.content, m.rendered_content from uploads u
    join messages m on m.organization_id = u.organization_id and position('thumbnail/' || u.path in m.rendered_content) > 0
    where u.organization_id = ${organizationId()} and not exists (
      select from message_uploads l where l.organization_id = m.organization_id and l.upload_id = u.id
        and l.message_id = m.id)`);
  expect(shown).toEqual([]);
}

async function checkSecret(): Promise<void> {
  const outside = (["cleo", "elin", "gus"] as const).map((name) => harness.user(name).id);
  const links = await query(sql`
    select m.id from message_uploads l
    join uploads u on u.organization_id = l.organization_id and u.id = l.upload_id
    join messages m on m.organization_id = l.organization_id and m.id = l.message_id
    where l.organization_id = ${organizationId()} and u.file_name = 'secret.png'
      and m.sender_id = any(${outside}::bigint[])`);
  expect(links).toEqual([]);
  const audiences = await query<{ audience: string }>(sql`
    select distinct audience::text as audience from events
    where organization_id = ${organizationId()} and type = 'attachment'
      and payload->'attachment'->>'name' = 'secret.png'`);
  expect(audiences).toHaveLength(1);
}

async function checkPolicies(): Promise<void> {
  const states = await query<{ patch: { userId: number; topicId: number; policy: number }[] }>(sql`
    select state->'user_topics' as patch from events
    where organization_id = ${organizationId()} and state ? 'user_topics' order by position`);
  const announced = new Map<string, number>();
  for (const { userId, topicId, policy } of states.flatMap(({ patch }) => patch)) {
    if (policy === 0) announced.delete(`${userId} ${topicId}`);
    else announced.set(`${userId} ${topicId}`, policy);
  }
  const rows = await query<{ place: string; policy: number }>(sql`
    select user_id || ' ' || topic_id as place, policy from topic_policies where organization_id = ${organizationId()}`);
  expect(new Map(rows.map(({ place, policy }) => [place, policy]))).toEqual(
    new Map([...announced].sort().length > 0 ? announced : []),
  );
}

async function checkMemory(): Promise<void> {
  const rows = await query<{ position: number; payload: unknown }>(sql`
    select position, payload from events where organization_id = ${organizationId()} order by position`);
  const stored = new Map(rows.map(({ position, payload }) => [position, payload]));
  const ids = await query<{ id: number }>(sql`
    select id from messages where organization_id = ${organizationId()} order by id`);
  expect(ids.filter(({ id }) => stored.has(id))).toEqual([]);
  for (const state of [harness.state, node.state]) {
    for (const { position, payload } of state.recent.all) {
      if (payload.type === "message") expect(stored.has(position)).toBe(false);
      else expect(payload, String(position)).toEqual(stored.get(position));
    }
  }
}

test(`whatever happens meanwhile, rows and events agree (seed ${seed})`, async () => {
  const walk: Walk = { random: new Random(seed), sent: [], round: 0 };
  await harness
    .as("ada")
    .post("/messages", { type: "channel", to: "leads", topic: "x", content: `[s](${secret})` });
  for (; walk.round < ROUNDS; walk.round++) {
    const steps = Array.from({ length: AT_ONCE }, (_, index) =>
      walk.random.upTo(5) < 3 ? () => say(walk, index) : () => walk.random.pick(others)(walk),
    );
    const results = await Promise.allSettled(steps.map((step) => step()));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(failures, howToRepeat(FILE)).toEqual([]);
    await Promise.all([harness.state.catchUp(), node.state.catchUp()]);
    await checkUploads();
    await checkSecret();
    await checkPolicies();
    await checkMemory();
  }
  expect(walk.sent.length).toBeGreaterThan(20);
}, 180_000);
