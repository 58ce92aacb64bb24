import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import type { EditRow } from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import { MAX_EDITS, MAX_HISTORY_BYTES, presentSnapshots } from "./edit-history.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

async function say(content = "now"): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content };
  return (await harness.as("ada").post("/messages", message)).body.id;
}

/** Makes one edit per text; the n-th edit replaced `text(n)`. */
const edited = (id: number, texts: readonly string[]) =>
  harness.state.database.query(sql`
    insert into message_edits (organization_id, message_id, editor_id, edited_at, previous_content, previous_rendered_content)
    select ${harness.state.organizationId}, ${id}, ${harness.user("ada").id}, now(), text, '<p>' || text || '</p>'
    from unnest(${texts}::text[]) with ordinality as edit (text, n) order by n`);

async function history(id: number) {
  const { status, body } = await harness.as("dev").get(`/messages/${id}/history`);
  expect(status).toBe(200);
  return body.message_history;
}

async function entries(id: number) {
  return (await harness.as("dev").get(`/messages/${id}`)).body.message.edit_history;
}

test("if there are more changes than the limit, the newest are returned", async () => {
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

test("where only moves are shown, moves are returned however often the text has changed", async () => {
  const id = await say();
  await harness.as("ada").patch(`/messages/${id}`, { topic: "supper" });
  await edited(
    id,
    Array.from({ length: MAX_EDITS + 50 }, (_, n) => `text ${n}`),
  );
  await harness.as("ada").patch("/realm", { message_edit_history_visibility_policy: "moves" });
  expect(await entries(id)).toMatchObject([{ prev_topic: "lunch", topic: "supper" }]);
  await harness.as("ada").patch("/realm", { message_edit_history_visibility_policy: "all" });
});

test("changes with long texts are returned up to a size limit, the newest of each message first", async () => {
  const long = (n: number) => `${n}${"x".repeat(300_000)}`;
  const [one, two] = [await say(), await say()];
  for (const id of [one, two])
    await edited(
      id,
      Array.from({ length: 20 }, (_, n) => long(n)),
    );
  const told = await history(one);
  expect(told.map(({ content }: { content: string }) => content.slice(0, 3))).toEqual(["18x", "19x", "now"]);
  const { body } = await harness.as("dev").get("/messages", { message_ids: [one, two] });
  const counts = body.messages.map((message: { edit_history: unknown[] }) => message.edit_history.length);
  expect(counts).toEqual([3, 4]);
});

test("the size limit of a response counts marked differences and repeated texts", async () => {
  const html = (version: number) => `<p>${`<em>x${version}</em> <i>y</i> `.repeat(650)}</p>`;
  const id = await say();
  await edited(
    id,
    Array.from({ length: 120 }, (_, n) => html(n)),
  );
  const told = await history(id);
  const size = JSON.stringify(told).length;
  expect(size).toBeGreaterThan(0.9 * MAX_HISTORY_BYTES);
  expect(size).toBeLessThan(1.1 * MAX_HISTORY_BYTES);
  expect(told[0]).not.toHaveProperty("prev_content");
});

test("other requests are served while the history of a message is computed", async () => {
  const row = {
    content: "now",
    renderedContent: "<p>now</p>",
    topic: "lunch",
    sentAt: new Date(),
  } as FetchedRow;
  const edit = { previousContent: "x", previousRenderedContent: "x", editedAt: new Date() } as EditRow;
  let turns = 0;
  let isDone = false;
  const working = presentSnapshots(row, Array(50).fill(edit), { emptyTopicName: false }).then(() => {
    isDone = true;
  });
  while (!isDone) {
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await working;
  expect(turns).toBeGreaterThanOrEqual(50);
});

test("if tokenizing all texts would take long, the older texts come without marks", async () => {
  const id = await say("x".repeat(8000));
  await edited(
    id,
    Array.from({ length: 100 }, (_, n) => `${n} ${"x".repeat(8000)}`),
  );
  const told = await history(id);
  const isMarked = told.map(({ content_html_diff: html }: Record<string, string>) => html?.includes("<span"));
  expect(isMarked.at(-1)).toBe(true);
  expect(isMarked[1]).toBe(false);
  expect(told[1].content_html_diff).toBe(told[1].rendered_content);
});

test("if comparing all texts would take long, the older texts are compared as wholes", async () => {
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
