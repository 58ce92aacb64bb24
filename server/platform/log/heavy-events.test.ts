import { afterAll, beforeAll, expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Sql, sql } from "../db/sql.ts";
import { runContentChange, runStateChange } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { readEvents, readHeads } from "./store.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const everybody = Array.from({ length: 10_000 }, (_, index) => index);
const testNote = storedEvent<{ text: string; user_ids: readonly number[] }>()({
  type: "test_note",
  op: undefined,
});
const note = (text: string, userIds: readonly number[] = []) => ({
  text,
  user_ids: userIds,
});

test("events that name thousands of people are in the log like others, in their order", async () => {
  const before = harness.state.position;
  await runStateChange(harness.state, async (tx) => {
    tx.append(testNote, note("first"), nobody);
    tx.append(testNote, note("second", everybody), nobody, { unknown: everybody });
    tx.append(testNote, note("third"), nobody);
  });
  const after = await readHeads(harness.state.database, harness.state.organizationId);
  expect(after).toMatchObject({ head: before + 3, stateHead: before + 2 });
  const entries = await readEvents(
    harness.state.database,
    harness.state.organizationId,
    before,
    after.head,
    10,
  );
  expect(entries.map(({ position, payload }) => [position - before, payload])).toEqual([
    [1, { type: "test_note", ...note("first") }],
    [2, { type: "test_note", ...note("second", everybody) }],
    [3, { type: "test_note", ...note("third") }],
  ]);
  expect(entries[1]?.statePatch).toEqual({ unknown: everybody });
  const strays = await harness.state.database.query(sql`select from events where position < 0`);
  expect(strays).toEqual([]);
});

test("when the memory that was checked has changed, such events are rolled back and the change runs again", async () => {
  let tries = 0;
  const before = harness.state.position;
  await runContentChange(harness.state, async (tx) => {
    tries++;
    tx.append(testNote, note(`try ${tries}`, everybody), nobody);
    if (tries === 1)
      await runStateChange(harness.state, async (other) =>
        other.append(testNote, note("other"), nobody, { unknown: 1 }),
      );
  });
  const entries = await readEvents(
    harness.state.database,
    harness.state.organizationId,
    before,
    harness.state.position,
    10,
  );
  expect(entries.map(({ payload }) => payload.text)).toEqual(["other", "try 2"]);
});

test("others write to the log while such events are being written", async () => {
  const positions: Position[] = [];
  await runStateChange(harness.state, async (tx) => {
    tx.append(testNote, note("heavy", everybody), nobody);
    const { query } = tx;
    // Statements before the last one hold no lock of the log, so they may take long.
    tx.query = async <Row>(statement: Sql) => {
      if (statement.text.includes("-nextval")) {
        const rows = await query<Row>(statement);
        await runContentChange(harness.state, async (other) => other.append(testNote, note("light"), nobody));
        positions.push(harness.state.position);
        return rows;
      }
      return query(statement);
    };
  });
  expect(harness.state.position).toBe((positions[0] as number) + 1);
});
