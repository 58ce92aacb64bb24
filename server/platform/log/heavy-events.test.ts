import { afterAll, beforeAll, expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createWorld, type World } from "../../../test/harness/harness.ts";
import { sql } from "../db/sql.ts";
import { changeContent, changeState } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { readEvents, readHeads } from "./store.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const everybody = Array.from({ length: 10_000 }, (_, index) => index);
const note = (text: string, userIds: readonly number[] = []) => ({
  type: "test_note",
  text,
  user_ids: userIds,
});

test("events that name thousands of people stand in the log as others do, in their order", async () => {
  const before = w.live.position;
  await changeState(w.live, async (tx) => {
    tx.append(note("first"), nobody);
    tx.append(note("second", everybody), nobody, { unknown: everybody });
    tx.append(note("third"), nobody);
  });
  const after = await readHeads(w.live.database, w.live.organizationId);
  expect(after).toEqual({ head: before + 3, stateHead: before + 2 });
  const entries = await readEvents(w.live.database, w.live.organizationId, before, after.head, 10);
  expect(entries.map(({ position, payload }) => [position - before, payload])).toEqual([
    [1, note("first")],
    [2, note("second", everybody)],
    [3, note("third")],
  ]);
  expect(entries[1]?.state).toEqual({ unknown: everybody });
  const strays = await w.live.database.query(sql`select from events where position < 0`);
  expect(strays).toEqual([]);
});

test("nothing of them is left when the memory that was checked has changed, and all is done again", async () => {
  let tries = 0;
  const before = w.live.position;
  await changeContent(w.live, async (tx) => {
    tries++;
    tx.append(note(`try ${tries}`, everybody), nobody);
    if (tries === 1)
      await changeState(w.live, async (other) => other.append(note("other"), nobody, { unknown: 1 }));
  });
  const entries = await readEvents(w.live.database, w.live.organizationId, before, w.live.position, 10);
  expect(entries.map(({ payload }) => payload.text)).toEqual(["other", "try 2"]);
});

test("others write to the log while such events are being written", async () => {
  const positions: Position[] = [];
  await changeState(w.live, async (tx) => {
    tx.append(note("heavy", everybody), nobody);
    const { query } = tx;
    // What comes before the last statement of all may take its time.
    tx.query = async (statement) => {
      if (statement.text.includes("-nextval")) {
        const rows = await query(statement);
        await changeContent(w.live, async (other) => other.append(note("light"), nobody));
        positions.push(w.live.position);
        return rows as never;
      }
      return query(statement);
    };
  });
  expect(w.live.position).toBe((positions[0] as number) + 1);
});
