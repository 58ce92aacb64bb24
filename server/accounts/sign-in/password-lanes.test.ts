// Whose password is looked at first, and who waits, where many sign in at once.
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { useSignIns } from "../../../test/harness/sign-ins.ts";
import { passwordQueue } from "../../platform/crypto/passwords.ts";
import { sql } from "../../platform/db/sql.ts";
import { NoPlace } from "../../platform/std/fair-queue.ts";
import { signIn } from "./sign-in.ts";
import { countSignInAttempt } from "./store.ts";

// Whose turn it is shows only while hashes take their time.
vi.unmock("@node-rs/argon2");

const signIns = useSignIns();
const { fetchKey, fail, failElsewhere } = signIns;

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
    await fetchKey("wrong", n % 2 === 0 ? signIns.username : `stranger${n}@demo.test`, `198.18.${n}.1`);
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
  const { database } = signIns.harness.services;
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
      signIn(signIns.harness.state, signIns.harness.services.keyring, {
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
    await failElsewhere(signIns.username, 60);
    expect((await fetchKey(PASSWORD)).status).toBe(200);
  });

  test("nothing tells in a known network who has an account, and nothing counts but what was looked at", async () => {
    const ask = async (name: string) => {
      const startedAt = performance.now();
      const { status, body, headers } = await fetchKey("wrong", name);
      return { status, body, wait: headers["retry-after"], isLate: performance.now() - startedAt >= 990 };
    };
    for (let round = 0; round < 2; round++) {
      const names = [signIns.username, signIns.username, "nobody.at.all@demo.test", "dev@demo.test"];
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
    const { status, headers, body } = await fetchKey(PASSWORD, signIns.username, STRANGE);
    expect([status, headers["retry-after"], body.code]).toEqual([429, "2", "RATE_LIMIT_HIT"]);
    expect(body.msg).toBe("Many people sign in at this moment. Try again in a few seconds.");
    const form = new URLSearchParams({ username: signIns.username, password: PASSWORD }).toString();
    const page = await signIns.harness.app.inject({
      method: "POST",
      url: "/login",
      remoteAddress: STRANGE,
      headers: { host: "demo.test", ...formHeaders },
      payload: form,
    });
    expect([page.statusCode, page.headers["retry-after"]]).toEqual([429, "2"]);
    expect(page.body).toContain("Many people sign in at this moment. Try again in a few seconds.");
    lanes.mockRestore();
    expect((await fetchKey(PASSWORD, signIns.username, STRANGE)).status).toBe(200);
  });

  test("an attempt over a limit gets the answer of that limit", async () => {
    for (let other = 1; other <= 20; other++)
      await countSignInAttempt(
        signIns.harness.state.database,
        signIns.harness.state.organizationId,
        `network ${STRANGE}`,
        {
          limit: 20,
          maxDelaySeconds: null,
        },
      );
    const { status, headers } = await fetchKey(PASSWORD, signIns.username, STRANGE);
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(1700);
    expect(lanes.mock.calls.map(([lane]) => lane)).toEqual(["refused"]);
  });

  test("somebody who is signed in changes their password from anywhere", async () => {
    const shown = { username: signIns.username, password: PASSWORD, address: "203.0.113.121" };
    const { keyring } = signIns.harness.services;
    await expect(signIn(signIns.harness.state, keyring, shown)).rejects.toThrow("Many people sign in");
    expect(await signIn(signIns.harness.state, keyring, { ...shown, signedInBy: "session" })).toBeDefined();
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
  const asks = async (from: string) => [await lanesOf(signIns.username, from), await lanesOf(nobody, from)];
  const open = { status: 401, entered: ["open 203.0.113.130"] };
  expect(await asks("203.0.113.130")).toEqual([open, open]);
  for (let other = 1; other <= 18; other++) await fail(1, `name${other}@demo.test`, "203.0.113.130");
  const refused = { status: 429, entered: ["refused 203.0.113.130"] };
  expect(await asks("203.0.113.130")).toEqual([refused, refused]);
  // Fifty failures from other networks.
  await failElsewhere(signIns.username, 60);
  expect(await lanesOf(signIns.username, "203.0.113.131")).toMatchObject({ status: 401 });
  expect(await lanesOf(signIns.username, "203.0.113.132")).toMatchObject({
    entered: ["refused 203.0.113.132"],
  });
});
