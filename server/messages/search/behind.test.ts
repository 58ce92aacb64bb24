// What is found while the index is behind.
import { expect, test, vi } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { idsOf, useSearchIndex } from "../../../test/harness/search-index.ts";
import { sql } from "../../platform/db/sql.ts";
import { readNarrow, term } from "../query/narrow/narrow.ts";
import { fetchPage } from "../query/page/page.ts";
import { NEWEST_ANCHOR, OLDEST_ANCHOR } from "../query/page/page-request.ts";
import { prepareScan } from "../query/prepare-scan.ts";
import { NO_LIMIT } from "../query/readable/readable-ranges.ts";
import { rangeTable } from "../query/scan.ts";
import { SearchTime } from "../query/search-directly.ts";
import { indexBacklog } from "./backlog.ts";
import { followLog, indexAll } from "./index-messages.ts";

const index = await useSearchIndex();
const { harness, kitchen, vault, database, organizationId } = index;
const { say, edit, ask, page, find, importCopies, forget, makeGap } = index;

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
