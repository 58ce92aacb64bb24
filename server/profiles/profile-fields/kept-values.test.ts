import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Random } from "../../../test/harness/random.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { readEverybodysProfileData } from "./kept-values.ts";
import { listProfileData } from "./value-store.ts";

const random = new Random(20261130);
const people = ["ada", "ben", "dev", "elin"] as const;

let harness: Harness;
let fieldIds: number[];
beforeAll(async () => {
  harness = await createHarness();
  fieldIds = [];
  for (const name of ["Team", "Tea"]) {
    const { body } = await harness.as("ada").post("/realm/profile_fields", { name, field_type: 1 });
    fieldIds.push(body.id as number);
  }
});
afterAll(() => harness?.close());

/** Reads in a snapshot, and counts the statements. */
async function read() {
  const { state } = harness;
  let statements = 0;
  const found = await state.database.snapshot((tx) => {
    const counting: Queryable = {
      query: (statement) => {
        statements++;
        return tx.query(statement);
      },
    };
    return readEverybodysProfileData(state, counting);
  });
  return { ...found, statements };
}

function set(name: (typeof people)[number], value: string) {
  const data = [{ id: random.pick(fieldIds), value }];
  return harness.as(name).patch("/users/me/profile_data", { data });
}

test("values are read once, and then those of people who changed theirs", async () => {
  await set("dev", "tea");
  const first = await read();
  expect(first.data.get(harness.user("dev").user.id)).toContain("tea");
  expect(await read()).toEqual({ ...first, statements: 0 });
  await set("elin", "coffee");
  const second = await read();
  // The values of one person, and the head of the log.
  expect(second.statements).toBe(2);
  expect(second.version).not.toBe(first.version);
  expect(second.data.get(harness.user("elin").user.id)).toContain("coffee");
  expect(await read()).toEqual({ ...second, statements: 0 });
});

test("a snapshot from before a change does not hide the change from later ones", async () => {
  const { state } = harness;
  const id = harness.user("ben").user.id;
  await state.database.snapshot(async (tx) => {
    await state.readHeads(tx);
    await set("ben", "milk");
    const old = await readEverybodysProfileData(state, tx);
    expect(old.data.get(id) ?? "").not.toContain("milk");
  });
  expect((await read()).data.get(id)).toContain("milk");
});

test("after any changes, what is kept is what the rows have", async () => {
  const { state } = harness;
  for (let step = 0; step < 60; step++) {
    const changes = Array.from({ length: random.upTo(4) }, () =>
      set(random.pick(people), `value ${random.upTo(1000)}`),
    );
    const reads = Array.from({ length: random.upTo(3) }, read);
    await Promise.all([...changes, ...reads]);
    if (step === 30) await harness.as("ada").delete(`/realm/profile_fields/${fieldIds.pop()}`);
    expect(await listProfileData(state.database, state.organizationId)).toEqual((await read()).data);
  }
});
