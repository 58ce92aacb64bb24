import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHarness, type Harness, OTHER_HOST } from "../../../test/harness/harness.ts";
import { openServices } from "../../app.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { deactivateUser } from "../users/actions.ts";
import { type User, users } from "../users/user.ts";
import { signIn } from "./sign-in.ts";

const PASSWORD = "correct horse battery";
let harness: Harness;
let count = 0;
/** Makes a person for one test, so that no test uses up another's attempts. */
let username: string;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  username = `person${++count}@demo.test`;
  await harness
    .as("ada")
    .post("/users", { email: username, full_name: `Person ${count}`, password: PASSWORD });
});

function fetchKey(password: string, name = username, host?: string) {
  return harness.nobody(host).post("/fetch_api_key", { username: name, password });
}

async function fail(times: number, name = username): Promise<void> {
  for (let each = 0; each < times; each++) await fetchKey(`wrong ${each}`, name);
}

test("the right password gives a key that works", async () => {
  const { body } = await fetchKey(PASSWORD);
  const authorization = `Basic ${Buffer.from(`${body.email}:${body.api_key}`).toString("base64")}`;
  const me = await harness.app.inject({
    url: "/api/v1/users/me",
    headers: { host: "demo.test", authorization },
  });
  expect(me.json()).toMatchObject({ user_id: body.user_id, email: username });
});

test("the email address may be in any case, with spaces around it", async () => {
  expect((await fetchKey(PASSWORD, ` ${username.toUpperCase()} `)).body.email).toBe(username);
});

test("a wrong password and an unknown name get the same answer", async () => {
  const wrong = await fetchKey("not the password");
  const unknown = await fetchKey(PASSWORD, "nobody.here@demo.test");
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({ code: "AUTHENTICATION_FAILED" });
  expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body });
});

test("an unknown name takes as long as a wrong password", async () => {
  const time = async (name: string) => {
    const start = performance.now();
    await expect(signIn(harness.state, name, "not the password")).rejects.toThrow();
    return performance.now() - start;
  };
  await time("warm.up@demo.test");
  const known = [await time(username), await time(username)];
  const unknown = [await time("nobody.one@demo.test"), await time("nobody.two@demo.test")];
  // Nearly all of the time is for hashing; without it a response takes a few milliseconds.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
});

test("a name that is not an email address is a bad request", async () => {
  for (const name of ["dev", "", "a@b@c", `${"x".repeat(300)}@demo.test`]) {
    const { status, body } = await fetchKey(PASSWORD, name);
    expect([status, body.code], name.slice(0, 10)).toEqual([400, "BAD_REQUEST"]);
  }
});

test("a password is required", async () => {
  const { body } = await harness.nobody().post("/fetch_api_key", { username });
  expect(body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "password" });
});

test("the sixth attempt after five failures is refused, with the right password too", async () => {
  await fail(5);
  const { status, body, headers } = await fetchKey(PASSWORD);
  expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  expect(body["retry-after"]).toBeGreaterThan(1700);
  expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
});

test("attempts at the same time are all counted", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => fetchKey(`wrong ${index}`)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
});

test("the limit holds on every node, and for unknown names", async () => {
  const other = await openServices(
    harness.services.config,
    pino({ level: "silent" }),
    harness.services.database.connection,
  );
  try {
    const state = await other.organizations.byId(harness.state.organizationId);
    await fail(5);
    await fail(5, "ghost@demo.test");
    await expect(signIn(state, username, PASSWORD)).rejects.toThrow("rate limit");
    await expect(signIn(state, "ghost@demo.test", PASSWORD)).rejects.toThrow("rate limit");
  } finally {
    await other.database.close();
  }
});

test("a success resets the count of failures", async () => {
  await fail(4);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await fail(4);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
});

test("after half an hour attempts are allowed again, and past counts are deleted", async () => {
  await fail(5);
  await harness.services.database.query(
    sql`update sign_in_failures set window_started_at = now() - interval '1801 seconds'`,
  );
  expect((await fetchKey("wrong again")).status).toBe(401);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  const rows = await harness.services.database.query(sql`select 1 from sign_in_failures`);
  expect(rows).toEqual([]);
});

test("failures in one organization do not count in another", async () => {
  await fail(5, "zed@other.test");
  expect((await fetchKey("wrong", "zed@other.test", OTHER_HOST)).status).toBe(401);
});

test("the password of one organization does not sign in to another", async () => {
  expect((await fetchKey(PASSWORD, username, OTHER_HOST)).body.code).toBe("AUTHENTICATION_FAILED");
});

test("a huge password is refused without hashing it", async () => {
  const start = performance.now();
  const { status } = await fetchKey("long and ".repeat(100_000));
  expect(status).toBe(401);
  expect(performance.now() - start).toBeLessThan(2000);
});

test("an account without a password, such as a bot, can't sign in by one", async () => {
  for (const name of ["dev@demo.test", "echo-bot@demo.test"]) {
    for (const password of ["", "null", PASSWORD]) expect((await fetchKey(password, name)).status).toBe(401);
  }
});

test("a deactivated account gets its own error, but only for the right password", async () => {
  await runStateChange(harness.state, (tx) =>
    deactivateUser(tx, harness.state.get(users).findByEmail(username) as User),
  );
  expect((await fetchKey("wrong")).body.code).toBe("AUTHENTICATION_FAILED");
  const { status, body } = await fetchKey(PASSWORD);
  expect([status, body.code]).toEqual([401, "USER_DEACTIVATED"]);
});

test("on a development server the email address alone gives the key", async () => {
  const { body } = await harness.nobody().post("/dev_fetch_api_key", { username: "gus@demo.test" });
  expect(body).toMatchObject({
    api_key: harness.user("gus").apiKey,
    email: "gus@demo.test",
    user_id: harness.user("gus").id,
  });
  const unknown = await harness.nobody().post("/dev_fetch_api_key", { username: "zed@other.test" });
  expect([unknown.status, unknown.body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
});

test("on a production server there is no key without a password", async () => {
  const production = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const { status, body } = await production
      .nobody()
      .post("/dev_fetch_api_key", { username: "dev@demo.test" });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(JSON.stringify(body)).not.toContain(production.user("dev").apiKey);
  } finally {
    await production.close();
  }
});
