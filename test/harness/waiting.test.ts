import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";
import { untilWaiting, waitingSessions, waitingSessionsOf } from "./waiting.ts";

const raws: TestDatabase[] = [];
const databases: Database[] = [];

beforeAll(async () => {
  for (let count = 0; count < 2; count++) {
    const raw = await createTestDatabase();
    raws.push(raw);
    databases.push(await Database.open(raw.connection, { pipelines: 1 }));
  }
});

afterAll(async () => {
  for (const database of databases) await database.close();
  for (const raw of raws) await raw.drop();
});

test("the sessions that wait for a lock are those of one database, not of its copy on the same server", async () => {
  const [one, other] = databases as [Database, Database];
  const client = new pg.Client(raws[0]?.connection);
  await client.connect();
  const hold = sql`lock table known_devices in exclusive mode`;
  try {
    await one
      .transaction(async (tx) => {
        await tx.query(hold);
        const waits = one.transaction((second) => second.query(hold));
        await untilWaiting(one, 1);
        const waiting = [{ id: expect.any(Number), statement: hold.text }];
        expect(await waitingSessions(one)).toEqual(waiting);
        expect(await waitingSessionsOf(client)).toEqual(waiting);
        expect(await waitingSessions(other)).toEqual([]);
        return { waits };
      })
      .then(({ waits }) => waits);
  } finally {
    await client.end();
  }
  expect(await waitingSessions(one)).toEqual([]);
});
