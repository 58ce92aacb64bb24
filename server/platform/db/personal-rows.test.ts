import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Queryable } from "./database.ts";
import { PersonalRead, PersonalRows, PersonalStatement } from "./personal-rows.ts";
import { type Sql, sql } from "./sql.ts";

interface Dish {
  id: number;
  eater: number;
  name: string | null;
  spices: number[] | null;
  isHot: boolean;
  cookedAt: Date;
  eatenAt: Date | null;
}

const dishes = new PersonalRows<Dish>(
  (organizationId, userId) => sql`
    select dish.* from (values
      (9007199254740991::bigint, 'näher "und" \\ näher', '{3,1}'::bigint[], true, '2026-03-01 12:00:00.5+01', null),
      (1, null, null, false, '1969-12-31 23:59:59+00', '2026-03-01 00:00:00+00')
    ) as row (id, name, spices, "isHot", "cookedAt", "eatenAt")
    cross join lateral (
      select row.id, ${userId}::bigint as eater, row.name, row.spices, row."isHot",
        row."cookedAt"::timestamptz as "cookedAt", row."eatenAt"::timestamptz as "eatenAt"
    ) dish
    where ${organizationId}::bigint > 0 order by dish.id desc`,
  ["cookedAt", "eatenAt"],
);
const nothing = new PersonalRows<{ id: number }>(
  (organizationId, userId) =>
    sql`select 1 as id where ${organizationId}::bigint = 0 and ${userId}::bigint = 0`,
);
const failing = new PersonalRows<{ id: number }>(
  (organizationId, userId) => sql`select (${organizationId}::bigint - ${organizationId}::bigint
    + 1 / (${userId}::bigint - ${userId}::bigint)) as id`,
);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

/** Lists of dev, and the statements that reading them took. */
function readFor() {
  const { database, organizationId } = harness.state;
  const sent: Sql[] = [];
  const tx: Queryable = {
    query: (statement) => {
      sent.push(statement);
      return database.query(statement);
    },
  };
  const owner = { organizationId, userId: harness.user("dev").user.id };
  const read = new PersonalRead(new PersonalStatement([failing, dishes, nothing]), tx, owner);
  return { read, sent, alone: () => dishes.list(database, organizationId, owner.userId) };
}

test("lists that are read together have the rows and values that each has alone", async () => {
  const { read, sent, alone } = readFor();
  const lists = Promise.all([read.read(nothing), read.read(dishes), read.read(dishes)]);
  read.send();
  const [none, some, again] = await lists;
  expect(none).toEqual([]);
  expect(some).toEqual(await alone());
  expect(again).toEqual(some);
  expect(some).toEqual([
    {
      id: 9007199254740991,
      eater: harness.user("dev").user.id,
      name: 'näher "und" \\ näher',
      spices: [3, 1],
      isHot: true,
      cookedAt: new Date("2026-03-01T11:00:00.500Z"),
      eatenAt: null,
    },
    expect.objectContaining({ id: 1, name: null, spices: null, eatenAt: new Date("2026-03-01T00:00:00Z") }),
  ]);
  expect(sent).toHaveLength(1);
  // The two values of the owner, and which lists are wanted.
  expect(sent[0]?.values).toHaveLength(3);
});

test("a list that nobody asks for is not executed", async () => {
  const { read } = readFor();
  const list = read.read(dishes);
  read.send();
  expect(await list).toHaveLength(2);
});

test("a statement that fails fails all that wait for it", async () => {
  const { read } = readFor();
  const lists = Promise.allSettled([read.read(dishes), read.read(failing)]);
  read.send();
  expect((await lists).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("what is asked for later is read by a statement of its own", async () => {
  const { read, sent, alone } = readFor();
  read.send();
  expect(sent).toEqual([]);
  const first = read.read(nothing);
  read.send();
  expect(await read.read(dishes)).toEqual(await alone());
  expect(await first).toEqual([]);
  expect(sent).toHaveLength(2);
});
