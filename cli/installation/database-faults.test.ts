import { expect, test } from "vitest";
import type { FaultName } from "../../server/platform/faults/catalogue.ts";
import { type DatabaseState, findDatabaseDoubts, findDatabaseFault } from "./database-faults.ts";

const good: DatabaseState = {
  version: 150_004,
  encoding: "UTF8",
  isReplica: false,
  isReadOnly: false,
  hasTables: false,
  mayCreate: true,
  user: "parley",
  database: "chat",
  isPooled: false,
  connections: 97,
};

test("a good database has no fault", () => {
  expect(findDatabaseFault(good, "db/chat")).toBeUndefined();
  expect(findDatabaseDoubts(good)).toEqual([]);
});

test.each<[Partial<DatabaseState>, FaultName, string]>([
  [
    { version: 130_011 },
    "database-unfit",
    "The database at db/chat is PostgreSQL 13, but Parley needs 14 or newer.",
  ],
  [
    { isReplica: true, isReadOnly: true },
    "database-read-only",
    "is a replica, which takes no writes. Set DATABASE_URL to the primary",
  ],
  [
    { isReadOnly: true },
    "database-read-only",
    "run: ALTER DATABASE chat RESET default_transaction_read_only; or the same with ALTER ROLE parley.",
  ],
  [
    { encoding: "LATIN1" },
    "database-unfit",
    "has the encoding LATIN1, but Parley needs UTF8. Make another one, and name it in",
  ],
  [
    { encoding: "SQL_ASCII" },
    "database-unfit",
    "CREATE DATABASE parley_utf8 OWNER parley ENCODING 'UTF8' TEMPLATE template0;",
  ],
  [
    { mayCreate: false },
    "database-denied",
    "The user parley may not create tables and schemas in the database at db/chat. As its administrator run: ALTER DATABASE chat OWNER TO parley;",
  ],
])("%o is %s, and refused with a sentence", (state, fault, sentence) => {
  expect(findDatabaseFault({ ...good, ...state }, "db/chat")).toEqual([
    fault,
    expect.stringContaining(sentence),
  ]);
});

test("a database in use goes on with few rights, and with a doubt about its encoding", () => {
  const used = { ...good, hasTables: true, mayCreate: false, encoding: "SQL_ASCII" };
  expect(findDatabaseFault(used, "db/chat")).toBeUndefined();
  expect(findDatabaseDoubts(used).map(({ text }) => text)).toEqual([
    "The database has the encoding SQL_ASCII, which can't keep every text.",
  ]);
});

test.each([
  [31, 0],
  [30, 1],
  [3, 1],
])("%i connections are %i doubts", (connections, count) => {
  const doubts = findDatabaseDoubts({ ...good, connections });
  expect(doubts).toHaveLength(count);
  if (count > 0) expect(doubts[0]?.text).toContain(`lets parley have ${connections} connections`);
});
