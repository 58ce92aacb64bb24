import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { advanceHeads } from "../../platform/log/store.ts";
import { readNarrow, term } from "../query/narrow/narrow.ts";
import { fetchPage } from "../query/page/page.ts";
import { NEWEST_ANCHOR, OLDEST_ANCHOR } from "../query/page/page-request.ts";
import { prepareScan } from "../query/prepare-scan.ts";
import { NO_LIMIT } from "../query/readable/readable-ranges.ts";
import { rangeTable } from "../query/scan.ts";
import { SearchTime } from "../query/search-directly.ts";
import { indexBacklog } from "./backlog.ts";
import { findCursor, listBehind, lockCursors } from "./cursor-store.ts";
import { SearchFollower } from "./follower.ts";
import { followLog, indexAll } from "./index-messages.ts";
import { formatIntervals } from "./intervals.ts";
import { readSearchLag } from "./lag.ts";

const harness: Harness = await createHarness();
afterAll(() => harness.close());
const kitchen = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
const vault = (await harness.channel("vault", ["ada", "elin"], { isPrivate: true })).id;
const { database, organizationId } = harness.state;

beforeEach(() => indexAll(database, organizationId));
afterEach(() => vi.restoreAllMocks());

async function say(
  content: string,
  params: Record<string, unknown> = {},
  name: CastName = "ada",
): Promise<number> {
  const message = { type: "channel", to: kitchen, topic: "lunch", content, ...params };
  return (await expectSuccess(harness.as(name).post("/messages", message))).id;
}

const edit = (id: number | undefined, params: Record<string, unknown>) =>
  expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }),
  );

type Term = readonly [operator: string, operand: unknown, negated?: boolean];

interface Options {
  as?: CastName;
  more?: Term[];
  anchor?: number | "oldest" | undefined;
  num_before?: number;
  num_after?: number;
}

/** One answer. While the machine is busy, its search may end early. */
async function ask(query: string, { as = "dev", more = [], ...rest }: Options = {}) {
  const narrow = [["search", query] as Term, ...more].map(([operator, operand, negated = false]) => ({
    operator,
    operand,
    negated,
  }));
  return expectSuccess(
    harness.as(as).get("/messages", { anchor: "newest", num_before: 1000, num_after: 0, narrow, ...rest }),
  );
}

const idsOf = ({ messages }: { messages: { id: number }[] }) => messages.map(({ id }) => id);

/** Goes on on both sides where a search ended early. */
async function page(query: string, options: Options = {}) {
  const { num_before = 1000, num_after = 0 } = options;
  const whole = await ask(query, options);
  while (whole.searched_from !== undefined) {
    const { searched_from: anchor, ...older } = await ask(query, {
      ...options,
      ...{ anchor: whole.searched_from, num_before: num_before - whole.messages.length, num_after: 0 },
    });
    whole.messages.unshift(...older.messages);
    Object.assign(whole, { searched_from: anchor, found_oldest: older.found_oldest });
  }
  while (whole.searched_to !== undefined) {
    const { searched_to: anchor, ...newer } = await ask(query, {
      ...options,
      ...{ anchor: whole.searched_to, num_before: 0, num_after: num_after - whole.messages.length },
    });
    whole.messages.push(...newer.messages);
    Object.assign(whole, { searched_to: anchor, found_newest: newer.found_newest });
  }
  return whole;
}

async function find(query: string, options: Options = {}): Promise<number[]> {
  const { messages } = await page(query, options);
  return messages.map(({ id }: { id: number }) => id);
}

/** Copies of a message, as many as an import writes at once. */
async function importCopies(id: number, count: number): Promise<{ first: number; last: number }> {
  const [row] = await database.query<{ base: number }>(sql`
    with log as (
      update organization_logs set head = head + ${count}::int where organization_id = ${organizationId}
      returning head - ${count}::int as base
    ), copies as (
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content)
      select m.organization_id, log.base + n, m.recipient_id, m.topic_id, m.sender_id, m.client, m.sent_at, m.facts,
        m.content, m.rendered_content
      from log, messages m, generate_series(1, ${count}::int) n
      where m.organization_id = ${organizationId} and m.id = ${id}
    )
    select base from log`);
  await harness.state.catchUp();
  const { base } = row as { base: number };
  return { first: base + 1, last: base + count };
}

const cursor = async () => {
  const found = await findCursor(database, organizationId);
  if (!found) throw new Error("there is no cursor");
  return found;
};

/** Puts messages into a gap, as if they had never been indexed. */
async function makeGap(from: number, to: number): Promise<void> {
  await database.query(sql`
    update search_cursors set followed_to = greatest(followed_to, ${to}),
      gaps = ${formatIntervals([{ from, to: to + 1 }])}::int8multirange
    where organization_id = ${organizationId}`);
  await database.query(sql`
    delete from search_words
    where organization_id = ${organizationId} and message_id between ${from} and ${to}`);
}

test("what was just sent is found while nothing indexes it", async () => {
  const id = await say("Cardoons with anchovies", { topic: "Turin" });
  for (const query of ["cardoon", "anchovies turin", '"cardoons with"', "chovie"]) {
    expect(await find(query), query).toEqual([id]);
  }
  for (const query of ["artichoke", '"with cardoons"', "carddo"])
    expect(await find(query), query).toEqual([]);
  expect(await find("cardoons", { more: [["search", "turin", true]] })).toEqual([]);
  expect(await find("cardoons", { more: [["search", "milan", true]] })).toEqual([id]);
});

test("checks by id find words at once, in messages that were just sent or edited", async () => {
  const narrow = [["search", "soup"]];
  const matching = async (id: number) => {
    const { messages } = await expectSuccess(
      harness.as("dev").get("/messages/matches_narrow", { msg_ids: [id], narrow }),
    );
    const named = await expectSuccess(harness.as("dev").get("/messages", { message_ids: [id], narrow }));
    expect(named.messages.map((message: { id: number }) => String(message.id))).toEqual(
      Object.keys(messages),
    );
    return Object.keys(messages).map(Number);
  };
  const id = await say("bread");
  expect(await matching(id)).toEqual([]);
  await edit(id, { content: "bread soup" });
  expect(await matching(id)).toEqual([id]);
  await edit(id, { content: "bread" });
  expect(await matching(id)).toEqual([]);
});

test("after a flood the newest messages are indexed first, then the gap from new to old", async () => {
  const old = await say("medlar before the flood");
  await indexAll(database, organizationId);
  const seed = await say("medlar in the flood");
  const { first, last } = await importCopies(seed, 2600);
  const newest = await say("medlar after the flood");

  await followLog(database, [organizationId]);
  const { gaps, followedTo, head } = await cursor();
  expect(followedTo).toBe(head);
  expect(gaps).toHaveLength(1);
  const [gap] = gaps;
  expect(gap?.from).toBeLessThanOrEqual(first);
  expect(gap?.to).toBeGreaterThan(last - 500);
  expect(gap?.to).toBeLessThanOrEqual(newest);

  await indexBacklog(database, organizationId);
  const [smaller] = (await cursor()).gaps;
  expect(smaller).toEqual({ from: gap?.from, to: (gap?.to ?? 0) - 500 });
  // In each of these states, all are found in order.
  const all = [old, seed, ...Array.from({ length: 2600 }, (_, n) => first + n), newest];
  const around = { anchor: gap?.to, num_before: 300, num_after: 300 };
  for (;;) {
    expect(await find("after medlar")).toEqual([newest]);
    expect(await find('"before the flood"')).toEqual([old]);
    expect(await find("medlar", { num_before: 700 })).toEqual(all.slice(-700));
    const middle = all.findIndex((id) => id >= (gap?.to ?? 0));
    expect(await find("medlar", around)).toEqual([
      ...all.slice(middle - 300, middle),
      ...all.slice(middle, middle + 301),
    ]);
    const oldest = await page("medlar", { anchor: "oldest", num_before: 0, num_after: 4 });
    expect(oldest.messages.map(({ id }: { id: number }) => id)).toEqual(all.slice(0, 4));
    expect(oldest).toMatchObject({ found_oldest: true, found_newest: false });
    if ((await indexBacklog(database, organizationId)).isDone) break;
  }
  expect((await cursor()).gaps).toEqual([]);
});

test("a word among 25,000 messages that are not indexed is found", async () => {
  const old = await say("loquat");
  await indexAll(database, organizationId);
  const seed = await say("persimmon");
  const { first, last } = await importCopies(seed, 12_000);
  const middle = await say("loquat in the middle");
  const more = await importCopies(seed, 13_000);
  const newest = await say("loquat");
  await makeGap(first, more.last);
  const whole = await page("loquat", { num_before: 5 });
  expect(idsOf(whole)).toEqual([old, middle, newest]);
  expect(whole).toMatchObject({ found_newest: true, found_oldest: true });
  const upwards = await page("loquat", { anchor: "oldest", num_before: 0, num_after: 5 });
  expect(idsOf(upwards)).toEqual([old, middle, newest]);
  expect(await find("persimmon", { anchor: middle, num_before: 2 })).toEqual([last - 1, last]);
  for (const order of ["desc", "asc"] as const) {
    // One scan looks at all of it if there is time.
    expect(await searchInSteps(order, Number.POSITIVE_INFINITY)).toEqual({
      found: [old, middle, newest],
      scans: 1,
    });
    // With no time left, each scan still comes further.
    const { found, scans } = await searchInSteps(order, 0);
    expect(found).toEqual([old, middle, newest]);
    expect(scans).toBeGreaterThan(1);
  }
  await forget(first, more.last);
});

/** Searches for loquats, with so much time for each scan. */
async function searchInSteps(order: "asc" | "desc", ms: number): Promise<{ found: number[]; scans: number }> {
  return database.snapshot(async (tx) => {
    const reader = { state: harness.state, user: harness.user("dev").user };
    const found: number[] = [];
    let { after, before } = { after: 0, before: NO_LIMIT };
    for (let scans = 1; ; scans++) {
      const { search } = await readNarrow(reader, tx, [term("search", "loquat")]);
      if (!search) throw new Error("nothing is readable");
      const idRange = { order, after, before, limit: 5 };
      const { statement, cutAt } = await prepareScan(tx, search, idRange, new SearchTime(ms));
      const rows = await tx.query<{ id: number }>(sql`with ${rangeTable(search)} ${statement}`);
      found.push(...rows.map(({ id }) => id));
      if (cutAt === undefined) return { found: found.sort((a, b) => a - b), scans };
      expect(order === "asc" ? cutAt > after : cutAt < before).toBe(true);
      if (order === "asc") after = cutAt;
      else before = cutAt;
    }
  });
}

test("a search that would read too much ends early, and says from where to go on", async () => {
  const old = await say("sapodilla");
  await indexAll(database, organizationId);
  // Over a text with accents, only splitting it into words can tell.
  const { first, last } = await importCopies(await say("pérsimmon"), 4000);
  const newest = await say("sapodilla");
  await makeGap(first, last);
  const cut = await ask("sapodilla", { num_before: 5 });
  expect(idsOf(cut)).toEqual([newest]);
  expect(cut).toMatchObject({ found_newest: true, found_oldest: false, anchor: cut.searched_from });
  expect(cut.searched_from).toBeGreaterThan(first);
  expect(cut.searched_from).toBeLessThan(newest);
  expect(await find("sapodilla", { anchor: cut.searched_from, num_before: 5 })).toEqual([old]);
  const below = await ask("sapodilla", { anchor: "oldest", num_before: 0, num_after: 5 });
  expect(idsOf(below)).toEqual([old]);
  expect(below).toMatchObject({ found_newest: false, found_oldest: true, anchor: below.searched_to });
  expect(below.searched_to).toBeLessThan(last);
  const above = { anchor: below.searched_to, num_before: 0, num_after: 5 };
  expect(await find("sapodilla", above)).toEqual([newest]);
  // Around an anchor, it stays what was asked for.
  const around = await ask("sapodilla", { anchor: newest, num_before: 5, num_after: 5 });
  expect(around).toMatchObject({ anchor: newest, found_anchor: true, found_newest: true });
  expect(around.searched_from).toBeLessThan(newest);
  // A page that is full says nothing of what lies beyond.
  const full = await ask("sapodilla", { num_before: 1 });
  expect(idsOf(full)).toEqual([newest]);
  expect(full).not.toHaveProperty("searched_from");
  // Beside the gap nothing is missing.
  const beside = await ask("sapodilla", { anchor: first, num_before: 5 });
  expect(idsOf(beside)).toEqual([old]);
  expect(beside.found_oldest).toBe(true);
  await forget(first, last);
});

test("a search that ended early, and whose texts are too long for a page, has no hole", async () => {
  // 4 MB of HTML are searched at once, and 2 MB of texts make a page.
  vi.spyOn(SearchTime.prototype, "isOver", "get").mockReturnValue(false);
  const { first, last } = await importCopies(await say(`breadfruit ${"long ".repeat(1900)}`), 600);
  await makeGap(first, last);
  const reader = { state: harness.state, user: harness.user("dev").user };
  const narrow = [term("search", "breadfruit")];
  for (const side of [
    { anchor: NEWEST_ANCHOR, before: 1000, after: 0 },
    { anchor: OLDEST_ANCHOR, before: 0, after: 1000 },
  ]) {
    const request = { narrow, includeAnchor: true, ...side };
    const page = await database.snapshot((tx) => fetchPage(reader, tx, request));
    expect(page.messages.length).toBeLessThan(300);
    expect(page.anchor).toBe(side.anchor);
    expect(page).not.toHaveProperty("searchedFrom");
    expect(page).not.toHaveProperty("searchedTo");
    expect(page.foundOldest && page.foundNewest).toBe(false);
  }
  await forget(first, last);
}, 60_000);

test("how far a search came tells nothing of messages that its reader may not read", async () => {
  const cellar = await harness.channel("cellar", ["ada"], { isPrivate: true });
  const { first, last } = await importCopies(await say("tamarillo", { to: cellar.id }), 9000);
  const dev = JSON.stringify([harness.user("dev").id]);
  await expectSuccess(
    harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "cellar" }], principals: dev }),
  );
  await makeGap(first, last);
  await database.snapshot(async (tx) => {
    const reader = { state: harness.state, user: harness.user("dev").user };
    const { search } = await readNarrow(reader, tx, [term("channel", "cellar"), term("search", "tamarillo")]);
    if (!search) throw new Error("nothing is readable");
    for (const order of ["desc", "asc"] as const) {
      const idRange = { order, after: 0, before: NO_LIMIT, limit: 5 };
      expect((await prepareScan(tx, search, idRange, new SearchTime(0))).cutAt).toBeUndefined();
    }
  });
  await forget(first, last);
});

test("searches that take long hold up other searches, and no histories", async () => {
  const id = await say("jackfruit");
  const { connections } = database.laneUse.searches;
  let end = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = Array.from({ length: connections }, () => database.snapshot(() => isOver, "searches"));
  const search = find("jackfruit");
  await expect.poll(() => database.laneUse.searches.waiting).toBe(1);
  const history = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["channel", kitchen]] };
  expect(idsOf(await expectSuccess(harness.as("dev").get("/messages", history)))).toEqual([id]);
  expect(database.laneUse.searches.waiting).toBe(1);
  end();
  expect(await search).toEqual([id]);
  await Promise.all(slow);
});

async function forget(first: number, last: number): Promise<void> {
  await database.query(sql`
    delete from messages where organization_id = ${organizationId} and id between ${first} and ${last}`);
}

test("a change counts at once, whether the message is in a gap, indexed, or at the end of the log", async () => {
  const [gone, moved, edited] = [await say("quince one"), await say("quince two"), await say("quince three")];
  const more = async () => [await say("quince one"), await say("quince two"), await say("quince three")];
  const indexed = await more();
  await indexAll(database, organizationId);
  await makeGap(gone, edited);
  const fresh = await more();
  const regions = [[gone, moved, edited], indexed, fresh];
  for (const [first, second, third] of regions) {
    await harness.as("ada").delete(`/messages/${first}`);
    await edit(second, { topic: "jams", stream_id: vault, propagate_mode: "change_one" });
    await edit(third, { content: "medlars" });
  }
  const states: (() => Promise<unknown>)[] = [
    async () => {},
    () => followLog(database, [organizationId]),
    () => indexBacklog(database, organizationId),
    () => indexAll(database, organizationId),
  ];
  for (const next of states) {
    await next();
    expect(await find("quince")).toEqual([]);
    expect(await find("jams")).toEqual([]);
    expect(await find("quince jams", { as: "elin" })).toEqual(regions.map(([, second]) => second));
    expect((await find("medlars")).filter((id) => id >= gone)).toEqual(regions.map(([, , third]) => third));
  }
  const rows = await database.query(sql`
    select from search_words where organization_id = ${organizationId}
      and message_id = any(${regions.map(([first]) => first)}::bigint[])`);
  expect(rows).toEqual([]);
});

test("a move of many messages is written to the index in pieces, and counts at once", async () => {
  const seed = await say("salsify", { topic: "roots" });
  const { first } = await importCopies(seed, 900);
  await indexAll(database, organizationId);
  await edit(seed, { topic: "tubers", propagate_mode: "change_all" });
  const all = [seed, ...Array.from({ length: 900 }, (_, n) => first + n)];
  expect(await find("roots salsify")).toEqual([]);
  expect(await find("tubers")).toEqual(all);
  await followLog(database, [organizationId]);
  expect(await cursor()).toMatchObject({ hasOutdated: true });
  expect(await find("roots salsify")).toEqual([]);
  expect(await find("tubers")).toEqual(all);
  await indexBacklog(database, organizationId);
  expect(await find("roots salsify")).toEqual([]);
  await indexAll(database, organizationId);
  expect(await cursor()).toMatchObject({ hasOutdated: false });
  expect(await find("tubers")).toEqual(all);
});

test("a crash in the middle of the backlog loses nothing", async () => {
  const ids = [await say("kohlrabi"), await say("kohlrabi"), await say("kohlrabi")];
  await indexAll(database, organizationId);
  await makeGap(ids[0] as number, ids[1] as number);
  const run = (text: string) => database.transaction(({ client }) => client.query(text));
  await run(`
    create function die() returns trigger language plpgsql as 'begin raise exception ''the node died''; end';
    create trigger death before update on search_cursors for each row execute function die()`);
  await expect(indexBacklog(database, organizationId)).rejects.toThrow("the node died");
  expect(await find("kohlrabi")).toEqual(ids);
  await run("drop function die() cascade");
  expect(await find("kohlrabi")).toEqual(ids);
  await indexAll(database, organizationId);
  expect((await cursor()).gaps).toEqual([]);
  expect(await find("kohlrabi")).toEqual(ids);
});

test("two nodes work on one organization by turns", async () => {
  const seed = await say("celeriac");
  const { last } = await importCopies(seed, 2600);
  const node = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await followLog(database, [organizationId]);
      await indexBacklog(database, organizationId);
    }
  };
  await Promise.all([node(), node()]);
  await database.transaction(async (tx) => {
    expect(await lockCursors(tx, [organizationId])).toHaveLength(1);
    expect(await followLog(database, [organizationId])).toMatchObject({
      reached: [],
      taken: [organizationId],
    });
    expect(await indexBacklog(database, organizationId)).toEqual({ isDone: true });
  });
  await indexAll(database, organizationId);
  const [rows] = await database.query<{ count: number }>(sql`
    select count(*) from search_words where organization_id = ${organizationId}
      and message_id between ${seed} and ${last}`);
  expect(rows?.count).toBe(last - seed + 1);
});

test("rows of an older server have no pairs of words, and phrases are found in them too", async () => {
  const id = await say("sweet and sour kumquats");
  await indexAll(database, organizationId);
  await database.query(sql`
    update search_words set words = (
      select array_to_tsvector(array_agg(lexeme)) from unnest(words) where not starts_with(lexeme, '=')
    ) || to_tsvector('simple', 'sweet and sour kumquats')
    where organization_id = ${organizationId} and message_id = ${id}`);
  await database.query(sql`
    update search_words set words = setweight(words, 'A')
    where organization_id = ${organizationId} and message_id = ${id}`);
  expect(await find('"and sour kumquats"')).toEqual([]);
  await database.query(sql`
    update search_cursors set without_pairs = int8multirange(int8range(0, ${id}, '[]'))
    where organization_id = ${organizationId}`);
  expect(await find('"and sour kumquats"')).toEqual([id]);
  await indexAll(database, organizationId);
  expect((await cursor()).withoutPairs).toEqual([]);
  expect(await find('"and sour kumquats"')).toEqual([id]);
  expect(await find('"sour and kumquats"')).toEqual([]);
});

test("positions that an older server took are indexed again", async () => {
  const id = await say("bitter gourd");
  await database.query(sql`
    insert into search_words (organization_id, message_id, words)
    values (${organizationId}, ${id}, to_tsvector('simple', 'bitter gourd'))`);
  await database.query(sql`
    update search_cursors set position = ${id} where organization_id = ${organizationId}`);
  expect(await find('"bitter gourd"')).toEqual([id]);
  await indexAll(database, organizationId);
  expect(await find('"bitter gourd"')).toEqual([id]);
});

test("words that no message has any more leave the vocabulary", async () => {
  const words = async () => {
    const rows = await database.query<{ word: string }>(sql`
      select word from search_vocabulary where organization_id = ${organizationId}
        and word in ('secretword', 'sharedword', 'editedword')`);
    return rows.map(({ word }) => word).sort();
  };
  const [first, second] = [await say("secretword sharedword"), await say("editedword")];
  await indexAll(database, organizationId);
  const other = await say("sharedword");
  await indexAll(database, organizationId);
  expect(await words()).toEqual(["editedword", "secretword", "sharedword"]);
  await harness.as("ada").delete(`/messages/${first}`);
  await edit(second, { content: "nothing" });
  await indexAll(database, organizationId);
  expect(await words()).toEqual(["sharedword"]);
  expect(await cursor()).toMatchObject({ prunedTo: null, prunesAgain: false });
  await harness.as("ada").delete(`/messages/${other}`);
  await indexAll(database, organizationId);
  expect(await words()).toEqual([]);
});

test("the follower knows how far the index is behind, and says once when that is far", async () => {
  const warnings: string[] = [];
  const log = { warn: (sentence: string) => void warnings.push(sentence) };
  const follower = new SearchFollower({ ...harness.services, log }, () => {});
  expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBeUndefined();
  const seed = await say("okra");
  expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBe(1);
  const { last } = await importCopies(seed, 12_000);
  await makeGap(seed, last);
  const lag = await readSearchLag(database);
  expect(lag.byOrganization.get(organizationId)).toBeGreaterThanOrEqual(12_000);
  expect(lag.total).toBeGreaterThanOrEqual(12_000);
  follower.start();
  await expect.poll(() => warnings).toHaveLength(1);
  await follower.stop();
  expect(warnings[0]).toMatch(/^The search index is 1\d,?\d{3} log entries behind\./);
});

describe("an organization at rest, whose clients get heartbeats,", () => {
  const beat = async () => {
    const head = (await advanceHeads(database, [organizationId])).get(organizationId);
    await harness.state.headMoved(head as Position);
  };

  test("is not behind before it has an entry", async () => {
    await beat();
    expect(await listBehind(database)).not.toContain(organizationId);
    expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBeUndefined();
    const id = await say("fennel");
    expect(await listBehind(database)).toContain(organizationId);
    await indexAll(database, organizationId);
    await expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
    expect(await listBehind(database)).toContain(organizationId);
  });

  test("costs the follower nothing", async () => {
    const follower = new SearchFollower(harness.services, () => {});
    // It looks at all organizations in turn, so one that got a message shows that it did.
    const look = async () => {
      const zed = { type: "direct", to: [harness.user("zed").id], content: "fennel" };
      const { id } = await expectSuccess(harness.as("zed").post("/messages", zed));
      const other = harness.otherState.organizationId;
      await expect
        .poll(async () => (await findCursor(database, other))?.followedTo)
        .toBeGreaterThanOrEqual(id);
    };
    follower.start();
    try {
      await look();
      const before = await cursor();
      await beat();
      await look();
      expect((await cursor())?.followedTo).toBe(before?.followedTo);
      const id = await say("fennel");
      await look();
      await expect.poll(async () => (await cursor())?.followedTo).toBeGreaterThanOrEqual(id);
    } finally {
      await follower.stop();
    }
  });
});

test("small organizations share a transaction, and a large one does not hold them up", async () => {
  const other = harness.otherState.organizationId;
  await indexAll(database, other);
  const zed = { type: "direct", to: [harness.user("zed").id], content: "turnip" };
  await expectSuccess(harness.as("zed").post("/messages", zed));
  const seed = await say("turnip");
  const both = await followLog(database, [organizationId, other]);
  expect(both).toMatchObject({ reached: [organizationId, other], taken: [organizationId, other] });
  await importCopies(seed, 600);
  await expectSuccess(harness.as("zed").post("/messages", zed));
  expect(await followLog(database, [organizationId, other])).toMatchObject({ taken: [organizationId] });
  expect(await followLog(database, [other])).toMatchObject({ reached: [other] });
});
