// What the index still has to do: gaps, messages that changed, words that no message has any more.
import { expect, test } from "vitest";
import { useSearchIndex } from "../../../test/harness/search-index.ts";
import { sql } from "../../platform/db/sql.ts";
import { indexBacklog } from "./backlog.ts";
import { lockCursors } from "./cursor-store.ts";
import { followLog, indexAll } from "./index-messages.ts";

const { harness, database, organizationId, cursor, say, edit, page, find, importCopies, makeGap } =
  await useSearchIndex();

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
