import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { addPerson, PASSWORD } from "../../../test/harness/accounts.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { readAuditLog } from "../../organization/audit-log/read.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { unlockAccount } from "./unlock.ts";

let harness: Harness;
let count = 0;
let email: string;
let userId: UserId;
/** An address and an account for one test, so that no test uses up another's attempts. */
let address: string;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  email = `person${++count}@demo.test`;
  address = `198.51.100.${count}`;
  userId = await addPerson(harness, email, `Person ${count}`);
});

const status = async (password: string, username = email) =>
  (await harness.nobody(HOST, { address }).post("/fetch_api_key", { username, password })).status;

async function fail(times: number, username = email): Promise<void> {
  for (let each = 0; each < times; each++) expect(await status("swordfish", username)).toBe(401);
}

const unlock = (of = userId, network?: string) =>
  runContentChange(harness.state, (tx) => unlockAccount(tx, of, network));

const entries = async () =>
  (await readAuditLog(harness.state, { action: "sign_in_unlocked", targetId: userId }, 10)).rows.length;

test("five wrong ones, the right one is refused, and after the unlocking it is right", async () => {
  await fail(5);
  expect(await status(PASSWORD)).toBe(429);
  expect(await unlock()).toBe(true);
  expect(await status(PASSWORD)).toBe(200);
  expect(await entries()).toBe(1);
});

test("others stay refused, also one whose id begins the same", async () => {
  await fail(5);
  await unlock(Number(`${userId}`.slice(0, -1)) as UserId);
  expect(await status(PASSWORD)).toBe(429);
  expect(await entries()).toBe(0);
});

test("where nothing counts there is nothing to forget, and no entry", async () => {
  expect(await unlock()).toBe(false);
  expect(await entries()).toBe(0);
});

test("a network that tried many names is let in by its address alone", async () => {
  for (let each = 0; each < 20; each++) await fail(1, `nobody${each}@demo.test`);
  expect(await status(PASSWORD)).toBe(429);
  await unlock();
  expect(await status(PASSWORD)).toBe(429);
  expect(await unlock(userId, address)).toBe(true);
  expect(await status(PASSWORD)).toBe(200);
});
