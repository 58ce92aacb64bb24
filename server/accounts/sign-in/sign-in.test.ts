import { expect, test, vi } from "vitest";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { createHarness, OTHER_HOST } from "../../../test/harness/harness.ts";
import { useSignIns } from "../../../test/harness/sign-ins.ts";
import { deactivateUser } from "../../people/actions.ts";
import { type User, users } from "../../people/user.ts";
import { passwordQueue } from "../../platform/crypto/passwords.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";

const signIns = useSignIns();
const { fetchKey, signInHere } = signIns;

test("the right password gives a key that works", async () => {
  const { body } = await fetchKey(PASSWORD);
  const authorization = `Basic ${Buffer.from(`${body.email}:${body.api_key}`).toString("base64")}`;
  const me = await signIns.harness.app.inject({
    url: "/api/v1/users/me",
    headers: { host: "demo.test", authorization },
  });
  expect(me.json()).toMatchObject({ user_id: body.user_id, email: signIns.username });
});

test("the email address may be in any case, with spaces around it", async () => {
  expect((await fetchKey(PASSWORD, ` ${signIns.username.toUpperCase()} `)).body.email).toBe(signIns.username);
});

test("a wrong password and an unknown name get the same answer", async () => {
  const wrong = await fetchKey("not the password");
  const unknown = await fetchKey(PASSWORD, "nobody.here@demo.test");
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({ code: "AUTHENTICATION_FAILED" });
  expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body });
});

test("a wrong password, an unknown name and an account without a password each cost one hash", async () => {
  const hashes = vi.spyOn(passwordQueue, "enter");
  for (const name of [signIns.username, "nobody.one@demo.test", "nobody.two@demo.test", "dev@demo.test"]) {
    hashes.mockClear();
    const signedIn = signInHere(signIns.harness.state, name, "not the password");
    await expect(signedIn).rejects.toThrow("Your username or password is incorrect");
    expect(hashes, name).toHaveBeenCalledTimes(1);
  }
  hashes.mockRestore();
});

test("a name that is not an email address is a bad request", async () => {
  for (const name of ["dev", "", "a@b@c", `${"x".repeat(300)}@demo.test`]) {
    const { status, body } = await fetchKey(PASSWORD, name);
    expect([status, body.code], name.slice(0, 10)).toEqual([400, "BAD_REQUEST"]);
  }
});

test("a password is required", async () => {
  const { body } = await signIns.harness.nobody().post("/fetch_api_key", { username: signIns.username });
  expect(body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "password" });
});

test("networks are kept as keyed hashes, at most twenty for each person", async () => {
  for (let other = 1; other <= 21; other++) {
    expect((await fetchKey(PASSWORD, signIns.username, `192.0.2.${other}`)).status).toBe(200);
  }
  const rows = await signIns.harness.services.database.query<{ length: number }>(sql`
    select length(network_hash) from sign_in_networks
    where user_id = ${signIns.harness.state.get(users).findByEmail(signIns.username)?.id}`);
  expect(rows).toHaveLength(20);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([32]));
});

test("the password of one organization does not sign in to another", async () => {
  expect((await fetchKey(PASSWORD, signIns.username, signIns.address, OTHER_HOST)).body.code).toBe(
    "AUTHENTICATION_FAILED",
  );
});

test("a huge password is refused without hashing it", async () => {
  const hashes = vi.spyOn(passwordQueue, "enter");
  const { status } = await fetchKey("long and ".repeat(6_000));
  expect(status).toBe(401);
  expect(hashes).not.toHaveBeenCalled();
  hashes.mockRestore();
});

test("an account without a password, such as a bot, can't sign in by one", async () => {
  for (const name of ["dev@demo.test", "echo-bot@demo.test"]) {
    for (const password of ["", "null", PASSWORD]) expect((await fetchKey(password, name)).status).toBe(401);
  }
});

test("a deactivated account gets its own error, but only for the right password", async () => {
  await runStateChange(signIns.harness.state, (tx) =>
    deactivateUser(tx, signIns.harness.state.get(users).findByEmail(signIns.username) as User),
  );
  expect((await fetchKey("wrong")).body.code).toBe("AUTHENTICATION_FAILED");
  const { status, body } = await fetchKey(PASSWORD);
  expect([status, body.code]).toEqual([401, "USER_DEACTIVATED"]);
});

test("on a development server the email address alone gives the key", async () => {
  const { body } = await signIns.harness.nobody().post("/dev_fetch_api_key", { username: "gus@demo.test" });
  expect(body).toMatchObject({
    api_key: signIns.harness.user("gus").apiKey,
    email: "gus@demo.test",
    user_id: signIns.harness.user("gus").id,
  });
  const unknown = await signIns.harness.nobody().post("/dev_fetch_api_key", { username: "zed@other.test" });
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
    const list = await production.nobody().get("/dev_list_users");
    expect([list.status, list.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(JSON.stringify(list.body)).not.toContain("@demo.test");
  } finally {
    await production.close();
  }
});

test("on a development server the active people of the organization are listed", async () => {
  const fresh = await createHarness();
  try {
    await fresh.as("ada").delete(`/users/${fresh.user("dev").id}`);
    const { body } = await fresh.nobody().get("/dev_list_users");
    const record = (name: string) => ({
      email: `${name}@demo.test`,
      realm_url: "http://demo.test",
      realm_uri: "http://demo.test",
    });
    expect(body).toMatchObject({
      direct_admins: ["ada", "ben"].map(record),
      direct_users: ["cleo", "elin", "gus"].map(record),
    });
  } finally {
    await fresh.close();
  }
});
