/** Messages that link uploads or change topic policies share commits, each decided for its sender alone. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { MessageId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Event, type Listener, listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { renderTurns } from "../../content/rendering.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { groupSizesOf, logWriterOf } from "../../platform/log/log-writer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Addressee } from "./addressee.ts";
import { send } from "./send.ts";

const FILE = "server/messages/send/grouped-send.test.ts";
const people = ["ada", "cleo", "dev", "elin", "gus"] as const satisfies CastName[];

let harness: Harness;
beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

async function makeHarness(): Promise<Harness> {
  const made = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await made.channel("kitchen", ["ada", "cleo", "dev", "elin", "gus"]);
  await made.channel("leads", ["ada", "dev", "elin"], { isPrivate: true });
  await made.state.database.transaction(({ client }) =>
    client.query(`
      create function refuse_widget() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '23514'; end $$;
      create trigger refused before insert on submessages
        for each row when (new.content like '%refused%') execute function refuse_widget();`),
  );
  return made;
}

interface Asked {
  by: CastName;
  content: string;
  channel?: string;
  topic?: string;
  direct?: readonly CastName[];
}

function request(of: Harness, { content, channel = "kitchen", topic = "lunch", direct }: Asked) {
  const to: Addressee = direct
    ? { kind: "direct", userIds: direct.map((name) => of.user(name).id) }
    : { kind: "channel", channel: { name: channel }, topic };
  return { to, content, localEcho: null, readBySender: null };
}

const say = (asked: Asked) => send(harness.user(asked.by).viewer, request(harness, asked));

/**
 * Makes these sends one group. `meanwhile` runs when all are prepared, and before the group reads anything.
 */
async function together(all: readonly Asked[], meanwhile: () => Promise<unknown> = async () => {}) {
  const writer = logWriterOf(harness.state);
  const add = writer.add.bind(writer);
  let count = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isDone = false;
  vi.spyOn(renderTurns, "run").mockImplementation((_owner, _cost, work) => work());
  const spy = vi.spyOn(writer, "add").mockImplementation(async (kind, person, asked) => {
    if (isDone || kind.name !== "user send") return add(kind, person, asked);
    if (++count === all.length) {
      isDone = true;
      await meanwhile();
      begin();
    }
    await begun;
    return add(kind, person, asked);
  });
  const sizes = groupSizesOf(harness.state.database);
  const before = { sum: sizes.sum, groups: sizes.counts.reduce((sum, each) => sum + each) };
  const results = await Promise.allSettled(all.map(say));
  spy.mockRestore();
  const groups = sizes.counts.reduce((sum, each) => sum + each) - before.groups;
  return { results, groups, changes: sizes.sum - before.sum };
}

function idsOf(results: readonly PromiseSettledResult<{ id: MessageId }>[]): (MessageId | undefined)[] {
  return results.map((result) => (result.status === "fulfilled" ? result.value.id : undefined));
}

/** The messages that link the file, by the rows. The newest event and the list tell the owner the same. */
async function linksOf(owner: CastName, url: string): Promise<number[]> {
  const path = url.slice("/user_uploads/".length);
  const { database, organizationId } = harness.state;
  const rows = await database.query<{ id: number; isLinked: boolean }>(sql`
    select l.message_id as id, u.unlinked_since is null as "isLinked"
    from message_uploads l join uploads u on u.organization_id = l.organization_id and u.id = l.upload_id
    where u.organization_id = ${organizationId} and u.path = ${path} order by l.message_id`);
  expect(rows.every(({ isLinked }) => isLinked)).toBe(true);
  const ids = rows.map(({ id }) => id);
  const events = await database.query<{ ids: number[]; position: number }>(sql`
    select jsonb_path_query_array(payload, '$.attachment.messages[*].id') as ids, position from events
    where organization_id = ${organizationId} and type = 'attachment' and payload->>'op' = 'update'
      and payload->'attachment'->>'path_id' = ${path} order by position desc limit 1`);
  expect(events[0]?.ids ?? []).toEqual(ids);
  const entry = harness.state.recent.all.find(({ position }) => position === events[0]?.position);
  const attachment = entry?.payload.attachment as { messages: { id: number }[] } | undefined;
  expect(attachment?.messages.map(({ id }) => id) ?? []).toEqual(ids);
  const { attachments } = await expectSuccess(harness.as(owner).get("/attachments"));
  const own = attachments.find(({ path_id }: { path_id: string }) => path_id === path);
  expect(own.messages.map(({ id }: { id: number }) => id)).toEqual(ids);
  return ids;
}

async function htmlOf(id: MessageId | undefined): Promise<string> {
  const [row] = await harness.state.database.query<{ html: string }>(sql`
    select rendered_content as html from messages
    where organization_id = ${harness.state.organizationId} and id = ${id}`);
  return row?.html ?? "";
}

const attachmentIdOf = async (name: CastName, url: string): Promise<number> => {
  const { attachments } = await expectSuccess(harness.as(name).get("/attachments"));
  return attachments.find(({ path_id }: { path_id: string }) => url.endsWith(path_id)).id;
};

test("messages that link files share a commit, also those that link the same", async () => {
  const soup = await uploaded(harness, "dev");
  const bread = await uploaded(harness, "elin");
  const opener = await say({ by: "elin", content: `[bread](${bread})` });
  const { results, groups, changes } = await together([
    { by: "dev", content: `[soup](${soup}) [bread](${bread}) [soup again](${soup})` },
    { by: "elin", content: `[bread](${bread})` },
    { by: "dev", content: `[soup](${soup})`, direct: ["gus"] },
    { by: "elin", content: `[bread](${bread})\n\n/poll`, topic: "lunch" },
    { by: "gus", content: `> [bread](${bread})` },
  ]);
  const [first, second, third, fourth, fifth] = idsOf(results);
  expect({ groups, changes }).toEqual({ groups: 1, changes: 5 });
  expect(await linksOf("dev", soup)).toEqual([first, third]);
  const all = [opener.id, first, second, fourth, fifth].sort((one, other) => Number(one) - Number(other));
  expect(await linksOf("elin", bread)).toEqual(all);
});

test("one of a group is refused, for what its sender may not do any more, and the others are sent", async () => {
  const urls = await Promise.all(
    (["ada", "dev", "elin"] as const).map((name) => uploaded(harness, name, "x")),
  );
  const leave = { subscriptions: ["leads"] };
  const { results } = await together(
    (["ada", "dev", "elin"] as const).map((by, index) => ({
      by,
      channel: "leads",
      content: `[x](${urls[index]})`,
    })),
    () => expectSuccess(harness.as("dev").delete("/users/me/subscriptions", leave)),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const [first, , third] = idsOf(results);
  expect(await linksOf("ada", urls[0] as string)).toEqual([first]);
  expect(await linksOf("dev", urls[1] as string)).toEqual([]);
  expect(await linksOf("elin", urls[2] as string)).toEqual([third]);
  const back = { subscriptions: [{ name: "leads" }], principals: [harness.user("dev").id] };
  await expectSuccess(harness.as("ada").post("/users/me/subscriptions", back));
});

test("one that the database refuses fails alone", async () => {
  const urls = await Promise.all(
    (["ada", "dev", "elin"] as const).map((name) => uploaded(harness, name, "x")),
  );
  const { results } = await together([
    { by: "ada", content: `[x](${urls[0]})` },
    { by: "dev", content: `/poll refused?\n[x](${urls[1]})` },
    { by: "elin", content: `/poll Bread?\n[x](${urls[2]})` },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ message: "refused" });
  const [first, , third] = idsOf(results);
  expect(await linksOf("ada", urls[0] as string)).toEqual([first]);
  expect(await linksOf("dev", urls[1] as string)).toEqual([]);
  expect(await linksOf("elin", urls[2] as string)).toEqual([third]);
});

test("a file that its owner deletes meanwhile is a link to nowhere, in that message alone", async () => {
  const gone = await uploaded(harness, "dev");
  const kept = await uploaded(harness, "elin");
  const id = await attachmentIdOf("dev", gone);
  const { results } = await together(
    [
      { by: "dev", content: `[gone](${gone})` },
      { by: "elin", content: `[kept](${kept})` },
    ],
    () => expectSuccess(harness.as("dev").delete(`/attachments/${id}`)),
  );
  const [first, second] = idsOf(results);
  expect(await htmlOf(first)).not.toContain("data-");
  expect(await linksOf("elin", kept)).toEqual([second]);
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", { message_ids: [first] }));
  expect(messages).toHaveLength(1);
});

test.each([
  ["is deleted", (id: MessageId) => harness.as("ada").delete(`/messages/${id}`)],
  [
    "moves where the writer can't read it",
    async (id: MessageId) => {
      const { stream_id } = await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: "leads" }));
      return harness.as("ada").patch(`/messages/${id}`, { stream_id, propagate_mode: "change_one" });
    },
  ],
])("a file of another person is not linked when the message that opened it %s", async (_, change) => {
  const url = await uploaded(harness, "dev");
  const opener = await say({ by: "dev", content: `[soup](${url})` });
  const { results } = await together([{ by: "gus", content: `[soup](${url})` }], () =>
    expectSuccess(change(opener.id)),
  );
  const [id] = idsOf(results);
  expect(id).toBeGreaterThan(opener.id);
  expect(await linksOf("dev", url)).not.toContain(id);
});

test("who names the path of a file that they may not read links nothing", async () => {
  const url = await uploaded(harness, "dev");
  await say({ by: "dev", channel: "leads", content: `[secret](${url})` });
  const before = await linksOf("dev", url);
  await say({ by: "gus", content: `[mine](${url})` });
  expect(await linksOf("dev", url)).toEqual(before);
});

test("a file that somebody else holds is waited for, and holds up no others", async () => {
  const held = await uploaded(harness, "dev");
  const free = await uploaded(harness, "elin");
  const heldId = await attachmentIdOf("dev", held);
  let first: Promise<{ id: MessageId }> | undefined;
  await harness.state.database.transaction(async (tx) => {
    await tx.query(sql`select from uploads where id = ${heldId} for update`);
    first = say({ by: "dev", content: `[held](${held})` });
    const second = await say({ by: "elin", content: `[free](${free})` });
    expect(await linksOf("elin", free)).toEqual([second.id]);
    await untilWaiting(harness.state.database, 1);
  });
  const sent = await first;
  expect(await linksOf("dev", held)).toEqual([sent?.id]);
});

test("a file that is gone is not waited for, while others wait for one that is held", async () => {
  const held = await uploaded(harness, "dev");
  const heldId = await attachmentIdOf("dev", held);
  const gone = await uploaded(harness, "elin");
  const goneId = await attachmentIdOf("elin", gone);
  let first: Promise<{ id: MessageId }> | undefined;
  await harness.state.database.transaction(async (tx) => {
    await tx.query(sql`select from uploads where id = ${heldId} for update`);
    first = say({ by: "dev", content: `[held](${held})` });
    await untilWaiting(harness.state.database, 1);
    const { results } = await together([{ by: "elin", content: `[gone](${gone})` }], () =>
      expectSuccess(harness.as("elin").delete(`/attachments/${goneId}`)),
    );
    expect(results[0]?.status).toBe("fulfilled");
  });
  await first;
}, 30_000);

/** Changes the memory while the work runs, with a pause after each change. */
async function whileMemoryChanges(pauseMs: number, work: () => Promise<void>) {
  let isDone = false;
  const changing = (async () => {
    while (!isDone) {
      await runStateChange(harness.state, async (tx) =>
        tx.appendPatch({ users: { put: [harness.user("elin").user] } }),
      );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  await work().finally(() => {
    isDone = true;
  });
  await changing;
}

test("memory that changes again and again refuses nobody, and each message is sent once", async () => {
  const before = await countOf("@**Gus Pike**");
  await whileMemoryChanges(0, async () => {
    for (let round = 0; round < 8; round++) {
      const asked = (["dev", "elin"] as const).map((by) => ({
        by,
        content: "@**Gus Pike**",
        topic: `round ${round}`,
      }));
      await Promise.all(asked.map(say));
    }
  });
  expect((await countOf("@**Gus Pike**")) - before).toBe(16);
}, 30_000);

// A look-up of files is refused when each of its tries meets a change, so there are pauses.
test("memory that changes meanwhile takes no file away", async () => {
  const url = await uploaded(harness, "dev");
  const ids: number[] = [];
  await whileMemoryChanges(50, async () => {
    for (let round = 0; round < 8; round++) {
      const sent = await Promise.all([
        say({ by: "dev", content: `[one](${url})` }),
        say({ by: "dev", content: `[two](${url})`, topic: `files ${round}` }),
      ]);
      ids.push(...sent.map(({ id }) => id));
    }
  });
  expect(await linksOf("dev", url)).toEqual(ids.sort((one, other) => one - other));
}, 30_000);

async function countOf(content: string): Promise<number> {
  const { database, organizationId } = harness.state;
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from messages where organization_id = ${organizationId} and content = ${content}`);
  return Number(row?.count);
}

async function policiesOf(name: CastName, topic: string): Promise<number[]> {
  const { database, organizationId } = harness.state;
  const rows = await database.query<{ policy: number }>(sql`
    select p.policy from topic_policies p join topics t on t.organization_id = p.organization_id and t.id = p.topic_id
    where p.organization_id = ${organizationId} and p.user_id = ${harness.user(name).id} and t.name = ${topic}`);
  return rows.map(({ policy }) => policy);
}

test("a policy that several messages of a group change is changed once, by the first", async () => {
  const listener = await listen(harness.as("gus"), { event_types: ["user_topic"] });
  const all = (["ada", "dev", "elin"] as const).map((by) => ({
    by,
    topic: "feast",
    content: "@**Gus Pike** comes",
  }));
  const { results, groups } = await together(all);
  expect(groups).toBe(1);
  expect(results.map((result) => result.status === "fulfilled" && result.value.newPolicy)).toEqual([3, 3, 3]);
  expect((await listener.heard()).map(({ topic_name }) => topic_name)).toEqual(["feast"]);
  for (const name of ["ada", "dev", "elin", "gus"] as const)
    expect(await policiesOf(name, "feast"), name).toEqual([3]);
});

test("who chooses a policy meanwhile keeps it", async () => {
  const { id } = await harness.state.database
    .query<{ id: number }>(sql`
      select id from channels where organization_id = ${harness.state.organizationId} and name = 'kitchen'`)
    .then(([row]) => row as { id: number });
  const { results } = await together([{ by: "dev", topic: "quiet", content: "@**Gus Pike** shh" }], () =>
    expectSuccess(
      harness.as("gus").post("/user_topics", { stream_id: id, topic: "quiet", visibility_policy: 1 }),
    ),
  );
  expect(results[0]).toMatchObject({ status: "fulfilled", value: { newPolicy: 3 } });
  expect(await policiesOf("gus", "quiet")).toEqual([1]);
  expect(await policiesOf("dev", "quiet")).toEqual([3]);
});

test("two nodes link one file, and its owner is told of all links", async () => {
  const node = await Node.start(harness.services.config, harness.state.database.connection);
  const url = await uploaded(harness, "dev");
  await say({ by: "dev", content: `[soup](${url})` });
  await node.state.catchUp();
  const names = ["ada", "dev", "elin", "gus"] as const;
  const viewerOn = (state: OrganizationState, name: CastName) => {
    const { viewer } = harness.user(name);
    return { ...viewer, state, user: state.get(users).byId.get(viewer.user.id) ?? viewer.user };
  };
  const sends = Array.from({ length: 40 }, (_, index) => {
    const by = names[index % names.length] as CastName;
    const asked = { by, content: `[soup](${url})`, topic: index % 3 === 0 ? `nodes ${index % 6}` : "lunch" };
    const state = index % 2 === 0 ? node.state : harness.state;
    return send(viewerOn(state, by), request(harness, asked));
  });
  const sent = await Promise.all(sends);
  await harness.state.catchUp();
  const ids = sent.map(({ id }) => id).sort((one, other) => one - other);
  expect((await linksOf("dev", url)).slice(1)).toEqual(ids);
  await node.stop();
});

/** What everybody hears and what is stored, with messages, files and topics by what they say. */
interface World {
  of: Harness;
  urls: string[];
  listeners: Map<CastName, Listener>;
  numberOf: Map<number, string>;
}

async function makeWorld(): Promise<World> {
  const of = await makeHarness();
  const urls: string[] = [];
  for (const name of [...people, "ben"] as const) urls.push(await uploaded(of, name, name, `${name}.txt`));
  // Cleo follows where she writes, and Gus nothing.
  await expectSuccess(
    of.as("cleo").patch("/settings", { [userSettings.automaticallyFollowTopicsPolicy.name]: 2 }),
  );
  await expectSuccess(
    of.as("gus").patch("/settings", { [userSettings.automaticallyFollowTopicsPolicy.name]: 4 }),
  );
  await send(of.user("ada").viewer, request(of, { by: "ada", content: `[opened](${urls[0]})` }));
  const listeners = new Map<CastName, Listener>();
  for (const name of people) {
    listeners.set(name, await listen(of.as(name), { event_types: ["message", "attachment", "user_topic"] }));
  }
  return { of, urls, listeners, numberOf: new Map() };
}

/** One that is there, or a new one. Who of two people starts a topic at once depends on both. */
function topicOf(random: Random, round: number, index: number): string {
  const isNew = random.upTo(3) === 0;
  return isNew ? `dish ${round} ${index}` : "lunch";
}

function randomSends(random: Random, round: number): Asked[] {
  return Array.from({ length: 30 }, (_, index) => {
    const by = random.pick(people);
    const what = random.pick([
      "FILE",
      "FILE FILE",
      "plain",
      "@**Dev Rao** FILE",
      "@**Elin Berg**",
      "/poll FILE?\nyes",
    ]);
    // An own file, one that all may read, and one that nobody of them may.
    const file = () => `[f](url ${random.pick([0, people.indexOf(by), people.length])})`;
    const content = `${what.replaceAll("FILE", file)} number ${round} ${index}`;
    if (random.upTo(5) === 0) return { by, content, direct: [random.pick(people)] };
    return { by, content, topic: topicOf(random, round, index) };
  });
}

const withUrls = (asked: Asked, { urls }: World): Asked => ({
  ...asked,
  content: asked.content.replace(/url (\d)/g, (_, number) => urls[Number(number)] as string),
});

async function observe({ urls, listeners, numberOf }: World) {
  const known = (text: string) =>
    urls.reduce(
      (all, url, index) => all.replaceAll(url.slice("/user_uploads/".length), `file ${index}`),
      text,
    );
  const heard: Record<string, unknown> = {};
  const all = new Map<CastName, Event[]>();
  for (const [name, listener] of listeners) all.set(name, await listener.heard());
  for (const { type, message } of [...all.values()].flat())
    if (type === "message") numberOf.set(message.id, /number \d+ \d+/.exec(message.content)?.[0] ?? "");
  for (const [name, events] of all) {
    // Within a group, files are announced after all messages. So each kind of event has its own order.
    heard[name] = Object.fromEntries(
      ["message", "attachment", "user_topic"].map((type) => [
        type,
        events
          .filter((event) => event.type === type)
          .map(({ message, attachment, topic_name, visibility_policy, flags }) => [
            message && known(message.content),
            message?.submessages.length,
            flags,
            attachment?.name,
            attachment?.messages.map(({ id }: { id: number }) => numberOf.get(id)),
            topic_name,
            visibility_policy,
          ]),
      ]),
    );
  }
  return heard;
}

test(`in groups they are what they are one by one (seed ${seed})`, async () => {
  const [grouped, single] = [await makeWorld(), await makeWorld()];
  const random = new Random(seed);
  const sizes = groupSizesOf(grouped.of.state.database);
  for (let round = 0; round < 4; round++) {
    const all = randomSends(random, round);
    const sent = await Promise.all(
      all.map((asked) =>
        send(grouped.of.user(asked.by).viewer, request(grouped.of, withUrls(asked, grouped))),
      ),
    );
    const inOrder = all
      .map((asked, index) => ({ asked, id: sent[index]?.id as number }))
      .sort((one, other) => one.id - other.id);
    for (const { asked } of inOrder)
      await send(single.of.user(asked.by).viewer, request(single.of, withUrls(asked, single)));
    expect(await observe(grouped), howToRepeat(FILE)).toEqual(await observe(single));
  }
  expect(
    sizes.counts.slice(2).reduce((sum, count) => sum + count),
    "larger groups",
  ).toBeGreaterThan(0);
  await grouped.of.close();
  await single.of.close();
}, 120_000);
