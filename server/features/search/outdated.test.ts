import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { indexAll } from "./index-messages.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
  await harness.channel("vault", ["ada", "elin"], { isPrivate: true });
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);
const index = () => indexAll(harness.services.database, harness.state.organizationId);
const edit = (id: number, params: Record<string, unknown>) =>
  expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }),
  );

type Term = readonly [operator: string, operand: unknown, negated?: boolean];

/** The result of a search with the index as it is. */
async function find(query: string, { as = "dev" as CastName, more = [] as Term[] } = {}): Promise<number[]> {
  const narrow = [["search", query] as Term, ...more].map(([operator, operand, negated = false]) => ({
    operator,
    operand,
    negated,
  }));
  const page = { anchor: "newest", num_before: 1000, num_after: 0, narrow };
  const { messages } = await expectSuccess(harness.as(as).get("/messages", page));
  return messages.map(({ id }: { id: number }) => id);
}

const inKitchen: Term[] = [["channel", "kitchen"]];

test("an edited message is at once no longer found by removed words, and still found by kept ones", async () => {
  const id = await say("ada", "kitchen", { content: "parsley and oregano" });
  await index();
  await edit(id, { content: "parsley and marjoram" });
  for (const more of [[], inKitchen]) {
    expect(await find("oregano", { more })).toEqual([]);
    expect(await find("orega", { more })).toEqual([]);
    expect(await find("parsley", { more })).toEqual([id]);
    expect(await find("parsley", { more: [...more, ["search", "oregano"]] })).toEqual([]);
    expect(await find("parsley", { more: [...more, ["search", "oregano", true]] })).toEqual([id]);
  }
  await index();
  expect(await find("marjoram")).toEqual([id]);
});

test("a moved message is not found by its old topic, which its new readers could not read", async () => {
  const id = await say("ada", "vault", { topic: "layoffs", content: "saffron" });
  await index();
  expect(await find("layoffs", { as: "elin" })).toEqual([id]);
  await edit(id, { stream_id: kitchen, topic: "spices" });
  for (const more of [[], inKitchen]) {
    expect(await find("layoffs", { more })).toEqual([]);
    expect(await find("saffron", { more })).toEqual([id]);
  }
  await index();
  expect(await find("spices")).toEqual([id]);
});

test("messages are still found by the name of their topic after its spelling changes", async () => {
  const id = await say("ada", "kitchen", { topic: "chervil" });
  await index();
  await edit(id, { topic: "CHERVIL", propagate_mode: "change_all" });
  expect(await find("chervil")).toEqual([id]);
});

test("if many messages change at once, the newest are checked and the others found once they are indexed", async () => {
  const sent = await Promise.all(
    Array.from({ length: 103 }, () => say("ada", "kitchen", { topic: "lovage", content: "sorrel" })),
  );
  const ids = sent.sort((a, b) => a - b);
  await index();
  await edit(ids[0] as number, { topic: "borage", propagate_mode: "change_all" });
  expect(await find("lovage")).toEqual([]);
  expect(await find("sorrel")).toEqual(ids.slice(3));
  await index();
  expect(await find("sorrel")).toEqual(ids);
});

test("long changed messages are checked up to a size limit", async () => {
  const ids = [await say("ada", "kitchen", { topic: "herbs", content: "tarragon" })];
  ids.push(await say("ada", "kitchen", { topic: "herbs", content: "tarragon" }));
  const lengthen = (id: number | undefined) =>
    harness.state.database.query(sql`
      update messages set rendered_content = rendered_content || repeat('<b>leaf</b> ', 100000) where id = ${id}`);
  await index();
  await edit(ids[0] as number, { topic: "leaves", propagate_mode: "change_all" });
  await lengthen(ids[0]);
  expect(await find("tarragon", { more: inKitchen })).toEqual([ids[1]]);
  await lengthen(ids[1]);
  expect(await find("tarragon")).toEqual([]);
  await index();
  expect(await find("tarragon")).toEqual(ids);
});
