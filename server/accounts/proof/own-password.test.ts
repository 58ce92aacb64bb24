import { afterAll, beforeAll, expect, test } from "vitest";
import { addRosa, OTHER_PASSWORD, PASSWORD, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { workOf } from "../../../test/harness/work.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await addRosa(harness);
});
afterAll(() => harness.close());

test("a password that is shown with another one is hashed once, and the new one once", async () => {
  const browser = await signIn(harness);
  const passwords = { old_password: PASSWORD, new_password: OTHER_PASSWORD };
  const { result, work } = await workOf(() => browser.patch("/settings", passwords));
  await expectSuccess(Promise.resolve(result));
  expect(work.hashes).toBe(2);
});

test("the old password must be right, whatever else was shown", async () => {
  const browser = await signIn(harness, { username: "rosa@demo.test", password: OTHER_PASSWORD });
  const call = { password: OTHER_PASSWORD, old_password: "wrong", new_password: PASSWORD };
  expect((await browser.patch("/settings", call)).body.msg).toBe("Wrong password!");
});
