// A value is written while its field or its option is deleted. The deletion is held open before its commit.
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Answer, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { changeState, type ViewerChange } from "../../people/viewer/change.ts";
import { sql } from "../../platform/db/sql.ts";
import { deleteProfileField, updateProfileField } from "./actions.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const options = { a: { text: "Vim", order: "1" }, b: { text: "Emacs", order: "2" } };

/** Fills in the field by a call that begins when `change` has written, and before it commits. */
async function fillBeside(id: number, change: (tx: ViewerChange) => Promise<void>): Promise<Answer> {
  let filling: Promise<Answer> | undefined;
  await changeState(harness.user("ada").viewer, async (tx) => {
    await change(tx);
    filling = harness.as("dev").patch("/users/me/profile_data", { data: [{ id, value: "a" }] });
    // Long enough for a call that waits for nobody; one that waits is not done before the commit.
    await Promise.race([filling, new Promise((resolve) => setTimeout(resolve, 1500))]);
  });
  return filling as Promise<Answer>;
}

const add = async (name: string): Promise<number> =>
  (
    await expectSuccess(
      harness.as("ada").post("/realm/profile_fields", { name, field_type: 3, field_data: options }),
    )
  ).id;
const rows = (id: number) =>
  harness.services.database.query(sql`select 1 from profile_field_values where field_id = ${id}`);

test("nobody chooses an option that is being deleted", async () => {
  const id = await add("Editor");
  const { status, body } = await fillBeside(id, (tx) =>
    updateProfileField(tx, id, { fieldData: { b: options.b } }),
  );
  expect([status, body.msg]).toEqual([400, "The value of 'Editor' must be one of the options."]);
  expect(await rows(id)).toEqual([]);
});

test("nobody fills in a field that is being deleted", async () => {
  const id = await add("Doomed");
  const { status, body } = await fillBeside(id, (tx) => deleteProfileField(tx, id));
  expect([status, body.msg]).toEqual([400, `Field id ${id} not found.`]);
  expect(await rows(id)).toEqual([]);
});
