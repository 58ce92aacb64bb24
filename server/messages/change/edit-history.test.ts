import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type World } from "../../../test/world.ts";
import { sql } from "../../db/sql.ts";
import { MAX_EDITS } from "./edit-history.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
  await w.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => w?.close());

async function say(content = "now"): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content };
  return (await w.as("ada").post("/messages", message)).body.id;
}

/** As many edits, of which the n-th replaced `text(n)`. */
const edited = (id: number, texts: readonly string[]) =>
  w.live.database.query(sql`
    insert into message_edits (organization_id, message_id, editor_id, edited_at, previous_content, previous_rendered_content)
    select ${w.live.organizationId}, ${id}, ${w.user("ada").id}, now(), text, '<p>' || text || '</p>'
    from unnest(${texts}::text[]) with ordinality as edit (text, n) order by n`);

async function history(id: number) {
  const { status, body } = await w.as("dev").get(`/messages/${id}/history`);
  expect(status).toBe(200);
  return body.message_history;
}

async function entries(id: number) {
  return (await w.as("dev").get(`/messages/${id}`)).body.message.edit_history;
}

test("of more changes than are told the newest are told", async () => {
  const id = await say();
  await edited(
    id,
    Array.from({ length: MAX_EDITS + 50 }, (_, n) => `text ${n}`),
  );
  const told = await history(id);
  expect(told).toHaveLength(MAX_EDITS + 1);
  expect(told[0]).toMatchObject({ content: "text 50" });
  expect(told.at(-1)).toMatchObject({ content: "now", prev_content: `text ${MAX_EDITS + 49}` });
  expect(await entries(id)).toHaveLength(MAX_EDITS);
});

test("moves are told however often the text has changed, where moves alone are", async () => {
  const id = await say();
  await w.as("ada").patch(`/messages/${id}`, { topic: "supper" });
  await edited(
    id,
    Array.from({ length: MAX_EDITS + 50 }, (_, n) => `text ${n}`),
  );
  await w.as("ada").patch("/realm", { message_edit_history_visibility_policy: "moves" });
  expect(await entries(id)).toMatchObject([{ prev_topic: "lunch", topic: "supper" }]);
  await w.as("ada").patch("/realm", { message_edit_history_visibility_policy: "all" });
});

test("of long texts as many changes are told as fit into an answer, of each message the newest", async () => {
  const long = (n: number) => `${n}${"x".repeat(300_000)}`;
  const [one, two] = [await say(), await say()];
  for (const id of [one, two])
    await edited(
      id,
      Array.from({ length: 20 }, (_, n) => long(n)),
    );
  const told = await history(one);
  expect(told.map(({ content }: { content: string }) => content.slice(0, 3))).toEqual([
    ..."13x 14x 15x 16x 17x 18x 19x".split(" "),
    "now",
  ]);
  const { body } = await w.as("dev").get("/messages", { message_ids: [one, two] });
  const counts = body.messages.map((message: { edit_history: unknown[] }) => message.edit_history.length);
  expect(counts).toEqual([3, 4]);
});

test("where comparing all would take long, the older texts are compared as wholes", async () => {
  const words = (version: number) => Array.from({ length: 400 }, (_, n) => `w${version}x${n}`).join(" ");
  const id = await say(words(100));
  await edited(
    id,
    Array.from({ length: 100 }, (_, n) => words(n)),
  );
  const pieces = (await history(id))
    .slice(1)
    .map(({ content_html_diff: html }: { content_html_diff: string }) => html.match(/<span/g)?.length);
  expect(pieces).toHaveLength(100);
  expect(pieces.slice(0, 90)).toEqual(Array(90).fill(2));
  expect(pieces.at(-1)).toBeGreaterThan(2);
});
