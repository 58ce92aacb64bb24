import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { addPerson, PASSWORD, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { codeAt } from "../second-steps/totp.ts";
import { FailureLog } from "./failures.ts";

let harness: Harness;
let log: FailureLog;
let lines: Record<string, unknown>[] = [];
let count = 0;
let email: string;
let userId: UserId;
/** An address and an account for one test, so that no test uses up another's attempts. */
let address: string;

beforeAll(async () => {
  const key = { key: "a secret of the tests, which has enough bytes", algorithms: ["HS256"] };
  harness = await createHarness({ PARLEY_JWT: JSON.stringify({ [HOST]: key }) });
});
afterAll(() => harness.close());

beforeEach(async () => {
  await log?.stop();
  lines = [];
  const to = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  log = new FailureLog({ database: harness.services.database, log: to }, (error) => {
    throw error;
  });
  log.start();
  email = `person${++count}@demo.test`;
  address = `198.51.100.${count}`;
  userId = await addPerson(harness, email, `Person ${count}`);
});

const here = (from = address) => harness.nobody(HOST, { address: from });
const fetchKey = (password: string, username = email, from?: string) =>
  here(from).post("/fetch_api_key", { username, password });
const line = (reason: string, more: object = {}) => ({
  level: 40,
  organizationId: harness.state.organizationId,
  address,
  reason,
  msg: "a sign-in failed",
  ...more,
});

/** What the audit log has of this test's person, once all is written. */
async function entries(): Promise<unknown[]> {
  await log.stop();
  const asked = { target_type: "user", target_id: userId, action: "sign_in_failed" };
  return (await expectSuccess(harness.as("ada").get("/realm/audit_log", asked))).entries.map(
    ({ actor_id, changes }: Record<string, unknown>) => [actor_id, changes],
  );
}

test("a wrong password leaves a line and an entry, without what was typed", async () => {
  expect((await fetchKey("swordfish")).status).toBe(401);
  expect(lines).toEqual([line("password", { userId })]);
  expect(await entries()).toEqual([[null, { reason: { new: "password" } }]]);
  expect(JSON.stringify(lines)).not.toMatch(/swordfish|person/);
});

test("an unknown name has no account in its line, and a right password has none", async () => {
  await fetchKey("swordfish", "my-secret-password@demo.test");
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  expect(lines).toEqual([line("password")]);
  expect(await entries()).toEqual([]);
});

test("so does each other way of signing in, and a wrong key", async () => {
  await here().post("/session", { username: email, password: "swordfish" });
  await here().post("/jwt/fetch_api_key", { token: "not a token" });
  const authorization = `Basic ${Buffer.from(`${email}:${"x".repeat(32)}`).toString("base64")}`;
  await callerOf(harness.app, { host: HOST, authorization }, address).get("/users/me");
  await harness.app.inject({
    url: `/join/${"a".repeat(64)}`,
    headers: { host: HOST },
    remoteAddress: address,
  });
  const shown = lines.map(({ reason }) => reason);
  expect(shown).toEqual(["password", "token", "key", "link"]);
  expect(lines.every((one) => one.address === address)).toBe(true);
});

test("a wrong code of a second step leaves a line and an entry", async () => {
  const login = { username: email, password: PASSWORD };
  const browser = await signIn(harness, login);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now());
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code }));
  lines.length = 0;
  await here().post("/session", { ...login, code: "not-a-code" });
  expect(lines).toEqual([line("second step", { userId })]);
  expect(await entries()).toEqual([[null, { reason: { new: "second step" } }]]);
});

test("what the limits refuse is told apart, and is not in the audit log", async () => {
  for (let each = 0; each < 5; each++) await fetchKey(`wrong ${each}`);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
  expect(lines.map(({ reason }) => reason)).toEqual([...Array(5).fill("password"), "limit"]);
  expect(await entries()).toHaveLength(1);
});

test("a network has 20 lines in a minute, and all together 100; the others are counted", async () => {
  const { state } = harness;
  for (let each = 0; each < 30; each++) log.note(state, { reason: "key", address });
  expect(lines).toHaveLength(20);
  for (let each = 0; each < 300; each++) {
    log.note(state, { reason: "key", address: `203.0.${each % 250}.7` });
  }
  expect(lines).toHaveLength(100);
  log.endLines();
  expect(lines.at(-1)).toEqual({
    level: 40,
    count: 230,
    msg: "more sign-ins failed than the log has lines for",
  });
  log.note(state, { reason: "key", address });
  expect(lines).toHaveLength(102);
});

test("wrong keys and links hide no guesses, whose lines have room of their own", () => {
  const { state } = harness;
  for (let each = 0; each < 200; each++) log.note(state, { reason: "key", address: `203.0.${each}.7` });
  for (let each = 0; each < 12; each++) log.note(state, { reason: "password", address });
  expect(lines.filter(({ reason }) => reason === "password")).toHaveLength(12);
});

test("an IPv6 /48 has 40 lines, and leaves room for others", () => {
  const { state } = harness;
  for (let each = 0; each < 100; each++) {
    log.note(state, { reason: "password", address: `2001:db8:1:${each}::7` });
  }
  log.note(state, { reason: "password", address });
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toEqual(line("password"));
});

test("an account has three entries in ten minutes, and an organization 20", async () => {
  const guess = (of: UserId, from: number) =>
    log.note(harness.state, { reason: "password", address: `192.0.2.${from}`, userId: of });
  for (let each = 0; each < 10; each++) guess(userId, each);
  for (let each = 0; each < 30; each++) guess((900_000 + each) as UserId, each);
  expect(await entries()).toHaveLength(3);
  const all = await expectSuccess(
    harness.as("ada").get("/realm/audit_log", { action: "sign_in_failed", limit: 100 }),
  );
  const ofStrangers = all.entries.filter(({ target_id }: { target_id: number }) => target_id >= 900_000);
  expect(ofStrangers).toHaveLength(17);
});
