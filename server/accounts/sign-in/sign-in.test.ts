import pino from "pino";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  type MockInstance,
  test,
  vi,
} from "vitest";
import { addPerson, PASSWORD } from "../../../test/harness/accounts.ts";
import { createHarness, type Harness, OTHER_HOST } from "../../../test/harness/harness.ts";
import { openServices } from "../../app.ts";
import { deactivateUser } from "../../people/actions.ts";
import { type User, users } from "../../people/user.ts";
import { passwordQueue } from "../../platform/crypto/passwords.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { NoPlace } from "../../platform/std/fair-queue.ts";
import { signIn } from "./sign-in.ts";
import { countSignInAttempt, deletePastSignInAttempts } from "./store.ts";

// Whose turn it is shows only while hashes take their time.
vi.unmock("@node-rs/argon2");

let harness: Harness;
let count = 0;
/** Makes a person for one test, so that no test uses up another's attempts. */
let username: string;
/** Likewise an address, so that no test uses up another's network. */
let address: string;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  username = `person${++count}@demo.test`;
  address = `198.51.100.${count}`;
  await addPerson(harness, username, `Person ${count}`);
});

function fetchKey(password: string, name = username, from = address, host?: string) {
  return harness.nobody(host, { address: from }).post("/fetch_api_key", { username: name, password });
}

async function fail(times: number, name = username, from = address, host?: string): Promise<void> {
  for (let each = 0; each < times; each++) {
    expect((await fetchKey(`wrong ${each}`, name, from, host)).status).toBe(401);
  }
}

const signInHere = (state: OrganizationState, name: string, password: string) =>
  signIn(state, harness.services.keyring, { username: name, password, address });

/** Lets a time pass for all counts. */
const pass = (seconds: number) =>
  harness.services.database.query(sql`
    update sign_in_attempts set window_started_at = window_started_at - make_interval(secs => ${seconds}),
      blocked_until = blocked_until - make_interval(secs => ${seconds})`);

/** Pretends that so many attempts have counted for a subject, since each real one hashes a password. */
const pretend = (subject: string, attempts: number) =>
  harness.services.database.query(sql`
    insert into sign_in_attempts (organization_id, subject, attempts, window_started_at)
    values (${harness.state.organizationId}, ${subject}, ${attempts}, now())
    on conflict (organization_id, subject) do update set attempts = excluded.attempts`);

/** Pretends that so many attempts of an account failed in networks that nobody uses. */
const failElsewhere = (name: string, times: number) =>
  pretend(`user ${harness.state.get(users).findByEmail(name)?.id}`, times);

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

test("a wrong password, an unknown name and an account without a password each cost one hash", async () => {
  const hashes = vi.spyOn(passwordQueue, "enter");
  for (const name of [username, "nobody.one@demo.test", "nobody.two@demo.test", "dev@demo.test"]) {
    hashes.mockClear();
    const signedIn = signInHere(harness.state, name, "not the password");
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
  const { body } = await harness.nobody().post("/fetch_api_key", { username });
  expect(body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "password" });
});

test("attempts that were counted while the clock was ahead block nobody", async () => {
  await fail(5);
  await pass(-86_400);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await fail(5);
  await harness.services.database.query(sql`
    update sign_in_attempts set blocked_until = blocked_until + interval '1 day'`);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await fail(5);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
});

test("the sixth attempt after five failures in a network is refused, with the right password too", async () => {
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
    await expect(signInHere(state, username, PASSWORD)).rejects.toThrow("too many wrong passwords");
    await expect(signInHere(state, "ghost@demo.test", PASSWORD)).rejects.toThrow("too many wrong passwords");
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
  const counts = () => harness.services.database.query(sql`select attempts from sign_in_attempts`);
  await fail(5);
  await pass(1801);
  const before = (await counts()).length;
  const statements = vi.spyOn(harness.services.database, "query");
  expect((await fetchKey("wrong again")).status).toBe(401);
  const texts = statements.mock.calls.map(([statement]) => JSON.stringify(statement));
  statements.mockRestore();
  expect(texts.filter((text) => text.includes("delete from sign_in_attempts"))).toEqual([]);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  expect(before).toBeGreaterThan(2);
  await deletePastSignInAttempts(harness.services.database);
  // The success takes back the count of the account in this network, and nothing else.
  expect(await counts()).toEqual([{ attempts: 1 }, { attempts: 1 }]);
});

test("failures in one organization do not count in another", async () => {
  await fail(5, "zed@other.test");
  await fail(1, "zed@other.test", address, OTHER_HOST);
});

test("failures in other networks do not shut a person out where they signed in before", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await failElsewhere(username, 500);
  for (let other = 1; other <= 15; other++) {
    const [stranger, network] = [`stranger${other % 4}@demo.test`, `203.0.113.${other}`];
    await pretend(`name ${stranger} in ${network}`, 4);
    await fail(1, stranger, network);
    expect((await fetchKey("wrong again", stranger, network)).status).toBe(429);
  }
  await fail(1);
  for (let each = 0; each < 3; each++) expect((await fetchKey(`wrong ${each}`)).status).toBe(429);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  // Others who use the same network can't either, after twenty failures of any names.
  await pretend(`network ${address}`, 19);
  await fail(1, "name19@demo.test");
  expect((await fetchKey("wrong", "name20@demo.test")).status).toBe(429);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
});

test("in a network that is new to a person, five failures elsewhere change nothing", async () => {
  await fail(5, username, "203.0.113.50");
  expect((await fetchKey(PASSWORD, username, "203.0.113.50")).status).toBe(429);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
});

test("a known network has its own limit on failures, too", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await fail(5);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
});

test("one password can be tried for twenty names from a network, and then for no more", async () => {
  for (let other = 1; other <= 20; other++) await fail(1, `name${other}@demo.test`);
  const { status, headers } = await fetchKey("wrong", "name21@demo.test");
  expect(status).toBe(429);
  expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
  expect((await fetchKey(PASSWORD, username, "203.0.113.60")).status).toBe(200);
});

test("no answer tells in a network who has signed in there before", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  const stranger = "nobody.like.this@demo.test";
  const ask = async (name: string) => {
    const hashes = vi.spyOn(passwordQueue, "enter");
    const { status, body } = await fetchKey("wrong", name);
    const { "retry-after": seconds, ...rest } = body;
    const answer = {
      status,
      body: rest,
      minutes: seconds && Math.round(seconds / 60),
      hashes: hashes.mock.calls.length,
    };
    hashes.mockRestore();
    return answer;
  };
  // Failures of both count for the network.
  const first = [await ask(username), await ask(stranger)];
  expect(first[0]).toMatchObject({ status: 401, hashes: 1 });
  for (let other = 1; other <= 18; other++) await fail(1, `other${other}@demo.test`);
  const answers = { known: [first[0]], unknown: [first[1]] };
  for (let each = 0; each < 12; each++) {
    answers.known.push(await ask(username));
    answers.unknown.push(await ask(stranger));
  }
  expect(answers.known).toEqual(answers.unknown);
  expect(answers.known[1]).toMatchObject({ status: 429, hashes: 1 });
  await pass(1801);
  expect([await ask(username), await ask(stranger)]).toEqual(first);
});

test("in a network over its failures, only the right password of a known person signs in, and five wrong ones end that", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  for (let other = 1; other <= 20; other++) await fail(1, `name${other}@demo.test`);
  for (let round = 0; round < 2; round++) {
    for (let each = 0; each < 4; each++) expect((await fetchKey(`wrong ${each}`)).status).toBe(429);
    expect((await fetchKey(PASSWORD)).status).toBe(200);
  }
  for (let each = 0; each < 5; each++) expect((await fetchKey(`wrong ${each}`)).status).toBe(429);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
});

test("an IPv6 network is one network, whatever the address in it", async () => {
  await fail(5, username, "2001:db8:7::1");
  expect((await fetchKey(PASSWORD, username, "2001:db8:7::2")).status).toBe(429);
  expect((await fetchKey(PASSWORD, username, "2001:db8:8::1")).status).toBe(200);
});

test("after fifty failures from many networks, each further one delays the next for longer", async () => {
  await failElsewhere(username, 49);
  await fail(1, username, "203.0.113.70");
  expect(Number((await fetchKey(PASSWORD, username, "203.0.113.71")).headers["retry-after"])).toBe(1);
  const delays: number[] = [];
  for (let other = 0; other < 12; other++) {
    await pass(delays.at(-1) ?? 1);
    await fail(1, username, `203.0.113.${72 + other}`);
    delays.push(Number((await fetchKey(PASSWORD, username, "203.0.113.99")).headers["retry-after"]));
  }
  expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
  await pass(300);
  expect((await fetchKey(PASSWORD, username, "203.0.113.100")).status).toBe(200);
});

test("an attempt that is refused in one network does not count for the account in others", async () => {
  for (let each = 0; each < 60; each++) await fetchKey("wrong");
  const [row] = await harness.services.database.query<{ attempts: number }>(sql`
    select attempts from sign_in_attempts
    where subject = ${`user ${harness.state.get(users).findByEmail(username)?.id}`}`);
  expect(row).toEqual({ attempts: 5 });
});

test("all spellings of a name are one account, and no spelling finds another's password", async () => {
  const spellings = [username, username.toUpperCase(), ` ${username} `, `P${username.slice(1)}`];
  for (const spelling of spellings) await fail(1, spelling);
  // PostgreSQL takes this name for elin's, where the server does not.
  const dotted = "el\u0130n@demo.test";
  await harness.services.database.query(sql`
    update users set password_hash = (select password_hash from users where email = ${username})
    where email = 'elin@demo.test'`);
  expect((await fetchKey(PASSWORD, "elin@demo.test", "203.0.113.110")).status).toBe(200);
  expect((await fetchKey(PASSWORD, dotted, "203.0.113.110")).status).toBe(401);
  await fail(1);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
});

test("a right guess under another spelling changes no count", async () => {
  await harness.services.database.query(sql`
    update users set password_hash = (select password_hash from users where email = ${username})
    where email = 'elin@demo.test'`);
  const dotted = "el\u0130n@demo.test";
  const statuses: number[] = [];
  for (const password of ["w1", "w2", "w3", PASSWORD, "w4", "w5", "w6"]) {
    statuses.push((await fetchKey(password, dotted)).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test("networks are kept as keyed hashes, at most twenty for each person", async () => {
  for (let other = 1; other <= 21; other++) {
    expect((await fetchKey(PASSWORD, username, `192.0.2.${other}`)).status).toBe(200);
  }
  const rows = await harness.services.database.query<{ length: number }>(sql`
    select length(network_hash) from sign_in_networks
    where user_id = ${harness.state.get(users).findByEmail(username)?.id}`);
  expect(rows).toHaveLength(20);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([32]));
});

test("a right password from a known network goes before those that guess", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  let free = () => {};
  const opened = new Promise<void>((resolve) => {
    free = resolve;
  });
  for (let n = 0; passwordQueue.enter("known", `busy ${n}`, () => opened).hasBegun; n++);
  const waiting = () => passwordQueue.waiting;
  const before = waiting();
  let answered = 0;
  const strangers = Array.from({ length: 16 }, async (_, n) => {
    await fetchKey("wrong", n % 2 === 0 ? username : `stranger${n}@demo.test`, `198.18.${n}.1`);
    answered++;
  });
  await expect.poll(waiting).toBe(before + 16);
  const right = fetchKey(PASSWORD);
  // It waits among them, and ahead of them.
  await expect.poll(waiting).toBe(before + 18);
  free();
  expect((await right).status).toBe(200);
  expect(answered).toBeLessThanOrEqual(6);
  await Promise.all(strangers);
});

test("of many attempts at once, four ask the database, and the next when one has its answer", async () => {
  const { database } = harness.services;
  const query = database.query.bind(database);
  const held: (() => void)[] = [];
  let asked = 0;
  const spy = vi.spyOn(database, "query").mockImplementation(async (statement) => {
    if (JSON.stringify(statement).includes("sign_in_networks") && asked++ < 4)
      await new Promise<void>((resolve) => held.push(resolve));
    return query(statement);
  });
  try {
    const attempts = Array.from({ length: 9 }, (_, n) =>
      signIn(harness.state, harness.services.keyring, {
        username: `guest${n}@demo.test`,
        password: "wrong",
        address: `198.18.${n}.7`,
      }).catch(() => {}),
    );
    await expect.poll(() => held.length).toBe(4);
    // Whatever may go on has done so by the time at which the database has answered another question.
    await query(sql`select 1`);
    expect(asked).toBe(4);
    held[0]?.();
    await expect.poll(() => asked).toBeGreaterThan(4);
    for (const free of held) free();
    await Promise.all(attempts);
    expect(asked).toBeGreaterThanOrEqual(9);
  } finally {
    spy.mockRestore();
  }
});

describe("while others have taken all places to wait", () => {
  let lanes: MockInstance<typeof passwordQueue.enter>;
  beforeEach(async () => {
    expect((await fetchKey(PASSWORD)).status).toBe(200);
    lanes = vi.spyOn(passwordQueue, "enter").mockImplementation((lane, _key, work) => ({
      result: lane === "known" ? work() : Promise.reject(new NoPlace()),
      hasBegun: false,
      leave: () => {},
    }));
  });
  afterEach(() => lanes.mockRestore());

  const STRANGE = "203.0.113.120";
  const formHeaders = {
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
    origin: "http://demo.test",
  };

  test("a right password from a known network needs none", async () => {
    expect((await fetchKey(PASSWORD)).status).toBe(200);
    await failElsewhere(username, 60);
    expect((await fetchKey(PASSWORD)).status).toBe(200);
  });

  test("nothing tells in a known network who has an account, and nothing counts but what was looked at", async () => {
    const ask = async (name: string) => {
      const startedAt = performance.now();
      const { status, body, headers } = await fetchKey("wrong", name);
      return { status, body, wait: headers["retry-after"], isLate: performance.now() - startedAt >= 990 };
    };
    for (let round = 0; round < 2; round++) {
      const names = [username, username, "nobody.at.all@demo.test", "dev@demo.test"];
      for (const answer of await Promise.all(names.map(ask)))
        expect(answer).toMatchObject({ status: 429, wait: "2", isLate: true });
    }
    lanes.mockRestore();
    await fail(1);
    expect((await fetchKey(PASSWORD)).status).toBe(200);
  });

  test("five wrong passwords are looked at ahead of their turn, and after them no right one", async () => {
    for (const count of [4, 2]) {
      await Promise.all(Array.from({ length: count }, (_, n) => fetchKey(`wrong ${n}`)));
    }
    expect(lanes.mock.calls.filter(([lane]) => lane === "known")).toHaveLength(5);
    expect((await fetchKey(PASSWORD)).status).toBe(429);
    lanes.mockRestore();
    expect((await fetchKey(PASSWORD)).status).toBe(200);
  });

  test("somebody new to a network is told to come back in two seconds, and finds a place later", async () => {
    const { status, headers, body } = await fetchKey(PASSWORD, username, STRANGE);
    expect([status, headers["retry-after"], body.code]).toEqual([429, "2", "RATE_LIMIT_HIT"]);
    expect(body.msg).toBe("Many people sign in at this moment. Try again in a few seconds.");
    const form = new URLSearchParams({ username, password: PASSWORD }).toString();
    const page = await harness.app.inject({
      method: "POST",
      url: "/login",
      remoteAddress: STRANGE,
      headers: { host: "demo.test", ...formHeaders },
      payload: form,
    });
    expect([page.statusCode, page.headers["retry-after"]]).toEqual([429, "2"]);
    expect(page.body).toContain("Many people sign in at this moment. Try again in a few seconds.");
    lanes.mockRestore();
    expect((await fetchKey(PASSWORD, username, STRANGE)).status).toBe(200);
  });

  test("an attempt over a limit gets the answer of that limit", async () => {
    for (let other = 1; other <= 20; other++)
      await countSignInAttempt(harness.state.database, harness.state.organizationId, `network ${STRANGE}`, {
        limit: 20,
        maxDelaySeconds: null,
      });
    const { status, headers } = await fetchKey(PASSWORD, username, STRANGE);
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
    expect(lanes.mock.calls.map(([lane]) => lane)).toEqual(["refused"]);
  });

  test("somebody who is signed in changes their password from anywhere", async () => {
    const shown = { username, password: PASSWORD, address: "203.0.113.121" };
    const { keyring } = harness.services;
    await expect(signIn(harness.state, keyring, shown)).rejects.toThrow("Many people sign in");
    expect(await signIn(harness.state, keyring, { ...shown, signedInBy: "session" })).toBeDefined();
  });
});

test("a name without an account waits in the same lanes as one with an account", async () => {
  const nobody = "nobody.in.a.lane@demo.test";
  const lanesOf = async (name: string, from: string) => {
    const lanes = vi.spyOn(passwordQueue, "enter");
    const { status } = await fetchKey("wrong", name, from);
    const entered = lanes.mock.calls.map(([lane, key]) => `${lane} ${key}`);
    lanes.mockRestore();
    return { status, entered };
  };
  const asks = async (from: string) => [await lanesOf(username, from), await lanesOf(nobody, from)];
  const open = { status: 401, entered: ["open 203.0.113.130"] };
  expect(await asks("203.0.113.130")).toEqual([open, open]);
  for (let other = 1; other <= 18; other++) await fail(1, `name${other}@demo.test`, "203.0.113.130");
  const refused = { status: 429, entered: ["refused 203.0.113.130"] };
  expect(await asks("203.0.113.130")).toEqual([refused, refused]);
  // Fifty failures from other networks.
  await failElsewhere(username, 60);
  expect(await lanesOf(username, "203.0.113.131")).toMatchObject({ status: 401 });
  expect(await lanesOf(username, "203.0.113.132")).toMatchObject({ entered: ["refused 203.0.113.132"] });
});

test("two hundred failures from an IPv6 /48 refuse what follows from it, but known people", async () => {
  expect((await fetchKey(PASSWORD, username, "2001:db8:77:1::1")).status).toBe(200);
  await pretend("network 2001:db8:77::/48", 199);
  await fail(1, "ghost.wide@demo.test", "2001:db8:77:2::1");
  const other = `person${count}.other@demo.test`;
  await addPerson(harness, other, `Other ${count}`);
  expect((await fetchKey(PASSWORD, other, "2001:db8:77:3::1")).status).toBe(429);
  expect((await fetchKey(PASSWORD, username, "2001:db8:77:1::1")).status).toBe(200);
  expect((await fetchKey(PASSWORD, other, "2001:db8:78:3::1")).status).toBe(200);
});

test("the password of one organization does not sign in to another", async () => {
  expect((await fetchKey(PASSWORD, username, address, OTHER_HOST)).body.code).toBe("AUTHENTICATION_FAILED");
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
