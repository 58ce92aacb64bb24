import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { sql } from "../../../platform/db/sql.ts";
import { indexAll } from "../../search/index-messages.ts";
import { MAX_HIGHLIGHTED_BYTES, MAX_PAGE_BYTES } from "./page.ts";

let harness: Harness;
/** Each has a fifth of the size that fits into a response. */
const large: number[] = [];
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
  for (let count = 0; count < 16; count++) large.push(await say("large"));
  await harness.state.database.query(sql`
    update messages set rendered_content = repeat('x', ${Math.ceil(MAX_PAGE_BYTES / 5)}::int)
    where organization_id = ${harness.state.organizationId} and id = any(${large}::bigint[])`);
});
afterAll(() => harness?.close());

async function say(topic: string): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic, content: "Soup" };
  return (await harness.as("ada").post("/messages", message)).body.id;
}

const inTopic = [
  ["channel", "kitchen"],
  ["topic", "large"],
];

async function page(params: Record<string, unknown>) {
  const { status, body } = await harness
    .as("dev")
    .get("/messages", { num_before: 50, num_after: 50, narrow: inTopic, ...params });
  expect(status).toBe(200);
  const { messages, found_anchor, found_oldest, found_newest } = body;
  const at = messages.map(({ id }: { id: number }) => large.indexOf(id));
  return { at, found_anchor, found_oldest, found_newest };
}

test("if messages are too large together, the end farthest from the anchor counts as not found", async () => {
  const ends = { found_anchor: true, found_oldest: false, found_newest: false };
  expect(await page({ anchor: large[7] })).toEqual({ at: [5, 6, 7, 8, 9], ...ends });
  expect(await page({ anchor: large[7], num_before: 1 })).toEqual({ at: [6, 7, 8, 9, 10], ...ends });
  expect(await page({ anchor: large[1] })).toEqual({ at: [0, 1, 2, 3, 4], ...ends, found_oldest: true });
});

test("a client gets the messages that were left out by continuing from the farthest, in either direction", async () => {
  const back: number[] = [];
  for (let anchor: number | string = "newest", isEnd = false; !isEnd; ) {
    const { at, found_oldest } = await page({ anchor, num_after: 0 });
    back.unshift(...at.filter((index: number) => !back.includes(index)));
    anchor = large[at[0]] as number;
    isEnd = found_oldest;
  }
  expect(back).toEqual(large.map((_, index) => index));
  const newer = await page({ anchor: large[11], num_before: 0, include_anchor: false });
  expect(newer).toEqual({
    at: [12, 13, 14, 15],
    found_anchor: false,
    found_oldest: false,
    found_newest: true,
  });
});

test("a message that is too large by itself is returned alone", async () => {
  const [first] = large;
  const resize = (size: number) =>
    harness.state.database.query(sql`
      update messages set rendered_content = repeat('x', ${size}::int)
      where organization_id = ${harness.state.organizationId} and id = ${first as number}`);
  await resize(MAX_PAGE_BYTES + 1);
  expect(await page({ anchor: "oldest" })).toMatchObject({
    at: [0],
    found_oldest: true,
    found_newest: false,
  });
  await resize(Math.ceil(MAX_PAGE_BYTES / 5));
});

test("a request by ids returns the newest messages that fit", async () => {
  const { at } = await page({ message_ids: large, narrow: [], num_before: undefined, num_after: undefined });
  expect(at).toEqual([11, 12, 13, 14, 15]);
  const { body } = await harness
    .as("dev")
    .get("/messages/matches_narrow", { msg_ids: large, narrow: inTopic });
  expect(Object.keys(body.messages).map(Number)).toEqual(large.slice(11));
});

test("fewer messages are returned if words are highlighted in them", async () => {
  const size = Math.ceil(MAX_HIGHLIGHTED_BYTES / 5);
  await harness.state.database.query(sql`
    update messages set rendered_content = 'soup ' || repeat('&amp;', ${Math.floor(size / 5)}::int)
    where organization_id = ${harness.state.organizationId} and id = any(${large}::bigint[])`);
  await indexAll(harness.state.database, harness.state.organizationId);
  const found = await page({ anchor: large[7], narrow: [["search", "soup"]] });
  expect(found).toEqual({
    at: [5, 6, 7, 8, 9],
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
  });
});
