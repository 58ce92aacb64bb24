import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { bringUpIndex } from "./bring-up.ts";
import { indexAll } from "./index-messages.ts";
import { findProgress, lockCursor } from "./store.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

async function say(content: string): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content };
  return (await harness.as("ada").post("/messages", message)).body.id;
}

async function matching(msgIds: readonly number[], narrow: readonly unknown[]): Promise<number[]> {
  const { body } = await harness.as("dev").get("/messages/matches_narrow", { msg_ids: msgIds, narrow });
  return Object.keys(body.messages).map(Number);
}

async function named(messageIds: readonly number[], narrow: readonly unknown[]): Promise<number[]> {
  const { body } = await harness.as("dev").get("/messages", { message_ids: messageIds, narrow });
  return body.messages.map(({ id }: { id: number }) => id);
}

const narrow = [["search", "soup"]];
const others = [{ operator: "search", operand: "soup", negated: true }];

test("a check by id of a message that was just sent finds its words", async () => {
  for (let count = 0; count < 10; count++) {
    const id = await say(`soup ${count}`);
    expect(await matching([id], narrow)).toEqual([id]);
    const next = await say(`more soup ${count}`);
    expect(await named([next], narrow)).toEqual([next]);
    const last = await say(`and still soup ${count}`);
    expect(await matching([last], others)).toEqual([]);
  }
});

test("a check by id of a message that was just edited finds its new words", async () => {
  const id = await say("bread");
  expect(await matching([id], narrow)).toEqual([]);
  await harness.as("ada").patch(`/messages/${id}`, { content: "bread soup" });
  expect(await matching([id], narrow)).toEqual([id]);
  await harness.as("ada").patch(`/messages/${id}`, { content: "bread" });
  expect(await matching([id], narrow)).toEqual([]);
});

test("many simultaneous checks are answered, with one of them writing the index", async () => {
  const sent = await Promise.all(Array.from({ length: 10 }, (_, n) => say(`soup for ${n}`)));
  const found = await Promise.all(sent.map((id) => matching([id], narrow)));
  expect(found).toEqual(sent.map((id) => [id]));
});

test("a check waits for another node that writes the index, but not forever", async () => {
  const { database, organizationId } = harness.state;
  await indexAll(database, organizationId);
  const id = await say("soup elsewhere");
  const { asked } = await database.transaction(async (tx) => {
    expect(await lockCursor(tx, organizationId)).toBeDefined();
    await bringUpIndex(database, organizationId, 30);
    const { position, head } = await findProgress(database, organizationId);
    expect(position).toBeLessThan(head);
    return { asked: matching([id], narrow) };
  });
  expect(await asked).toEqual([id]);
});

test("an index that can't be written is read as it is", async () => {
  const { database, organizationId } = harness.state;
  await indexAll(database, organizationId);
  const run = (text: string) => database.transaction(({ client }) => client.query(text));
  await run(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end';
    create trigger refusal before insert on search_words for each row execute function refuse()`);
  const id = await say("soup for nobody");
  expect(await matching([id], narrow)).toEqual([]);
  await run("drop function refuse() cascade");
  expect(await matching([id], narrow)).toEqual([id]);
});
