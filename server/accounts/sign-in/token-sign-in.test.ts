import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addPerson, PASSWORD } from "../../../test/harness/accounts.ts";
import { callerOf, createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { createLog, createServer } from "../../app.ts";
import { deactivateOrganization, reactivateOrganization } from "../../organization/deactivate.ts";
import { deactivateUser } from "../../people/actions.ts";
import { type User, users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";

const SECRET = "a secret of the tests, which has enough bytes";
let harness: Harness;
let count = 0;
/** An address and an account for one test, so that no test uses up another's attempts. */
let address: string;
let email: string;

beforeAll(async () => {
  const keys = { [HOST]: { key: SECRET, algorithms: ["HS256"] } };
  harness = await createHarness({ PARLEY_JWT: JSON.stringify(keys) });
});
afterAll(() => harness.close());
beforeEach(async () => {
  email = `person${++count}@demo.test`;
  address = `198.51.100.${count}`;
  await addPerson(harness, email, `Person ${count}`);
});

function tokenOf(claims: object, secret = SECRET): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const wrong = (claimed = email) => tokenOf({ email: claimed }, "another secret");

const fetchKey = (token: string, more: Record<string, unknown> = {}, from = address, host?: string) =>
  harness.nobody(host, { address: from }).post("/jwt/fetch_api_key", { token, ...more });

const withPassword = (password: string) =>
  harness.nobody(HOST, { address }).post("/fetch_api_key", { username: email, password });

const statusesOf = async (tokens: readonly string[], from = address) => {
  const statuses: number[] = [];
  for (const token of tokens) statuses.push((await fetchKey(token, {}, from)).status);
  return statuses;
};

test("a token of the organization's key gives the API key of the account that it names", async () => {
  const { status, body } = await fetchKey(tokenOf({ email: ` ${email.toUpperCase()} ` }));
  expect([status, body.email, body.user]).toEqual([200, email, undefined]);
  const authorization = `Basic ${Buffer.from(`${email}:${body.api_key}`).toString("base64")}`;
  const me = await callerOf(harness.app, { host: HOST, authorization }).get("/users/me");
  expect(me.body.delivery_email).toBe(email);
});

test("the reply has the account, if the client asks for it", async () => {
  const { body } = await fetchKey(tokenOf({ email }), { include_profile: true });
  const user = harness.state.get(users).findByEmail(email) as User;
  expect(body.user).toMatchObject({ user_id: user.id, delivery_email: email, full_name: user.fullName });
  expect(body.user.avatar_url).toMatch(/^\/user_avatars\/drawn\//);
});

test("an organization without a key takes no tokens", async () => {
  for (const token of [tokenOf({ email: "zed@other.test" }), ""]) {
    const { status, body } = await fetchKey(token, {}, address, OTHER_HOST);
    expect([status, body.msg]).toEqual([400, "JWT authentication is not enabled for this organization"]);
  }
});

test("a request needs a token", async () => {
  const { status, body } = await fetchKey("");
  expect([status, body.code, body.msg]).toEqual([400, "BAD_REQUEST", "No JSON web token passed in request"]);
  const without = await harness.nobody().post("/jwt/fetch_api_key", {});
  expect(without.body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "token" });
});

test("a token of another key, or none at all, is a bad one", async () => {
  for (const token of [wrong(), wrong("nobody@demo.test"), "not a token", `${tokenOf({ email })}x`]) {
    const { status, body } = await fetchKey(token);
    expect([status, body.code, body.msg]).toEqual([400, "BAD_REQUEST", "Bad JSON web token"]);
  }
});

test("a token that is too long is refused before it is looked at", async () => {
  const token = tokenOf({ email, filling: "x".repeat(8192) });
  for (let each = 0; each < 8; each++) {
    const { status, body } = await fetchKey(token);
    expect([status, body.code, body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      "token is too long (limit: 8192 characters)",
    ]);
  }
});

test("a token names an email address", async () => {
  for (const claims of [{}, { email: null }, { email: 7 }, { sub: email }]) {
    const { status, body } = await fetchKey(tokenOf(claims));
    expect([status, body.msg]).toEqual([400, "No email specified in JSON web token claims"]);
  }
});

test("an address without an account is refused, also one of another organization or a whole page", async () => {
  for (const name of ["nobody@demo.test", "zed@other.test", "", `${"x".repeat(3000)}@demo.test`]) {
    const { status, body } = await fetchKey(tokenOf({ email: name }));
    expect([status, body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
  }
});

test("a deactivated account gets its own error", async () => {
  const user = harness.state.get(users).findByEmail(email) as User;
  expect((await fetchKey(tokenOf({ email }))).status).toBe(200);
  await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
  const { status, body } = await fetchKey(tokenOf({ email }));
  expect([status, body.code]).toEqual([401, "USER_DEACTIVATED"]);
});

test("a deactivated organization gives no keys", async () => {
  await runStateChange(harness.state, deactivateOrganization);
  try {
    const { status, body } = await fetchKey(tokenOf({ email }));
    expect([status, body.code]).toEqual([401, "REALM_DEACTIVATED"]);
  } finally {
    await runStateChange(harness.state, reactivateOrganization);
  }
  expect((await fetchKey(tokenOf({ email }))).status).toBe(200);
});

test("after five wrong tokens for an address, a network gets no more looked at", async () => {
  expect(await statusesOf(Array(5).fill(wrong()))).toEqual(Array(5).fill(400));
  const { status, headers } = await fetchKey(tokenOf({ email }));
  expect(status).toBe(429);
  expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
  expect(await statusesOf([tokenOf({ email })], "203.0.113.1")).toEqual([200]);
});

test("wrong passwords and wrong tokens count together, and a right one ends the count", async () => {
  for (let each = 0; each < 4; each++) expect((await withPassword(`wrong ${each}`)).status).toBe(401);
  expect((await fetchKey(tokenOf({ email }))).status).toBe(200);
  for (let each = 0; each < 3; each++) expect((await withPassword(`wrong ${each}`)).status).toBe(401);
  expect(await statusesOf([wrong(), wrong()])).toEqual([400, 400]);
  expect((await withPassword(PASSWORD)).status).toBe(429);
});

test("a network can try twenty wrong tokens, whatever they claim", async () => {
  const tokens = Array.from({ length: 16 }, (_, index) => wrong(`name${index}@demo.test`));
  expect(await statusesOf(tokens)).toEqual(Array(16).fill(400));
  expect(await statusesOf(["", "not a token", "a.b.c", "..", tokenOf({}, "another secret")])).toEqual(
    Array(5).fill(400),
  );
  expect(await statusesOf([tokenOf({ email: "one.more@demo.test" })])).toEqual([429]);
});

test("right tokens do not count, however many come from one network", async () => {
  expect(await statusesOf(Array(30).fill(tokenOf({ email })))).toEqual(Array(30).fill(200));
});

test("no line of the log has anything of a token or of its key", async () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: "trace" }, { write: (line) => void lines.push(line) });
  const app = await createServer({ ...harness.services, log });
  try {
    for (const token of [tokenOf({ email }), wrong(), "x".repeat(9000)]) {
      await callerOf(app, { host: HOST }).post("/jwt/fetch_api_key", { token });
      await app.inject({
        method: "POST",
        url: `/api/v1/jwt/fetch_api_key?token=${token}`,
        headers: { host: HOST },
      });
    }
  } finally {
    await app.close();
  }
  const text = lines.join("");
  expect(lines.filter((line) => line.includes("fetchApiKeyByToken")).length).toBeGreaterThan(3);
  for (const part of [...tokenOf({ email }).split("."), ...wrong().split("."), SECRET, "xxxx", email]) {
    expect(text).not.toContain(part);
  }
});

test("a token names no bot: its key is for those who may manage it", async () => {
  const { email: ofBot } = harness.user("echo");
  const { status, body } = await fetchKey(tokenOf({ email: ofBot }));
  expect([status, body.code, body.api_key]).toEqual([401, "AUTHENTICATION_FAILED", undefined]);
});

test("a token does not name an account by an address that only looks the same in lower case", async () => {
  await addPerson(harness, "kim@demo.test", "Kim Vale");
  expect((await fetchKey(tokenOf({ email: "KIM@demo.test" }))).status).toBe(200);
  // The Kelvin sign.
  expect((await fetchKey(tokenOf({ email: "\u212aim@demo.test" }))).status).toBe(401);
});
