import pino from "pino";
import { expect, test, vi } from "vitest";
import { addPerson, PASSWORD } from "../../../test/harness/accounts.ts";
import { OTHER_HOST } from "../../../test/harness/harness.ts";
import { useSignIns } from "../../../test/harness/sign-ins.ts";
import { openServices } from "../../app.ts";
import { users } from "../../people/user.ts";
import { passwordQueue } from "../../platform/crypto/passwords.ts";
import { sql } from "../../platform/db/sql.ts";
import { deletePastSignInAttempts } from "./store.ts";

const signIns = useSignIns();
const { fetchKey, fail, failElsewhere, signInHere, pass, pretend } = signIns;

test("attempts that were counted while the clock was ahead block nobody", async () => {
  await fail(5);
  await pass(-86_400);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await fail(5);
  await signIns.harness.services.database.query(sql`
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
    signIns.harness.services.config,
    pino({ level: "silent" }),
    signIns.harness.services.database.connection,
  );
  try {
    const state = await other.organizations.byId(signIns.harness.state.organizationId);
    await fail(5);
    await fail(5, "ghost@demo.test");
    await expect(signInHere(state, signIns.username, PASSWORD)).rejects.toThrow("too many wrong passwords");
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
  const counts = () => signIns.harness.services.database.query(sql`select attempts from sign_in_attempts`);
  await fail(5);
  await pass(1801);
  const before = (await counts()).length;
  const statements = vi.spyOn(signIns.harness.services.database, "query");
  expect((await fetchKey("wrong again")).status).toBe(401);
  const texts = statements.mock.calls.map(([statement]) => JSON.stringify(statement));
  statements.mockRestore();
  expect(texts.filter((text) => text.includes("delete from sign_in_attempts"))).toEqual([]);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  expect(before).toBeGreaterThan(2);
  await deletePastSignInAttempts(signIns.harness.services.database);
  // The success takes back the count of the account in this network, and nothing else.
  expect(await counts()).toEqual([{ attempts: 1 }, { attempts: 1 }]);
});

test("failures in one organization do not count in another", async () => {
  await fail(5, "zed@other.test");
  await fail(1, "zed@other.test", signIns.address, OTHER_HOST);
});

test("failures in other networks do not shut a person out where they signed in before", async () => {
  expect((await fetchKey(PASSWORD)).status).toBe(200);
  await failElsewhere(signIns.username, 500);
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
  await pretend(`network ${signIns.address}`, 19);
  await fail(1, "name19@demo.test");
  expect((await fetchKey("wrong", "name20@demo.test")).status).toBe(429);
  expect((await fetchKey(PASSWORD)).status).toBe(200);
});

test("in a network that is new to a person, five failures elsewhere change nothing", async () => {
  await fail(5, signIns.username, "203.0.113.50");
  expect((await fetchKey(PASSWORD, signIns.username, "203.0.113.50")).status).toBe(429);
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
  expect((await fetchKey(PASSWORD, signIns.username, "203.0.113.60")).status).toBe(200);
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
  const first = [await ask(signIns.username), await ask(stranger)];
  expect(first[0]).toMatchObject({ status: 401, hashes: 1 });
  for (let other = 1; other <= 18; other++) await fail(1, `other${other}@demo.test`);
  const answers = { known: [first[0]], unknown: [first[1]] };
  for (let each = 0; each < 12; each++) {
    answers.known.push(await ask(signIns.username));
    answers.unknown.push(await ask(stranger));
  }
  expect(answers.known).toEqual(answers.unknown);
  expect(answers.known[1]).toMatchObject({ status: 429, hashes: 1 });
  await pass(1801);
  expect([await ask(signIns.username), await ask(stranger)]).toEqual(first);
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
  await fail(5, signIns.username, "2001:db8:7::1");
  expect((await fetchKey(PASSWORD, signIns.username, "2001:db8:7::2")).status).toBe(429);
  expect((await fetchKey(PASSWORD, signIns.username, "2001:db8:8::1")).status).toBe(200);
});

test("after fifty failures from many networks, each further one delays the next for longer", async () => {
  await failElsewhere(signIns.username, 49);
  await fail(1, signIns.username, "203.0.113.70");
  expect(Number((await fetchKey(PASSWORD, signIns.username, "203.0.113.71")).headers["retry-after"])).toBe(1);
  const delays: number[] = [];
  for (let other = 0; other < 12; other++) {
    await pass(delays.at(-1) ?? 1);
    await fail(1, signIns.username, `203.0.113.${72 + other}`);
    delays.push(Number((await fetchKey(PASSWORD, signIns.username, "203.0.113.99")).headers["retry-after"]));
  }
  expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
  await pass(300);
  expect((await fetchKey(PASSWORD, signIns.username, "203.0.113.100")).status).toBe(200);
});

test("an attempt that is refused in one network does not count for the account in others", async () => {
  for (let each = 0; each < 60; each++) await fetchKey("wrong");
  const [row] = await signIns.harness.services.database.query<{ attempts: number }>(sql`
    select attempts from sign_in_attempts
    where subject = ${`user ${signIns.harness.state.get(users).findByEmail(signIns.username)?.id}`}`);
  expect(row).toEqual({ attempts: 5 });
});

test("all spellings of a name are one account, and no spelling finds another's password", async () => {
  const spellings = [
    signIns.username,
    signIns.username.toUpperCase(),
    ` ${signIns.username} `,
    `P${signIns.username.slice(1)}`,
  ];
  for (const spelling of spellings) await fail(1, spelling);
  // PostgreSQL takes this name for elin's, where the server does not.
  const dotted = "el\u0130n@demo.test";
  await signIns.harness.services.database.query(sql`
    update users set password_hash = (select password_hash from users where email = ${signIns.username})
    where email = 'elin@demo.test'`);
  expect((await fetchKey(PASSWORD, "elin@demo.test", "203.0.113.110")).status).toBe(200);
  expect((await fetchKey(PASSWORD, dotted, "203.0.113.110")).status).toBe(401);
  await fail(1);
  expect((await fetchKey(PASSWORD)).status).toBe(429);
});

test("a right guess under another spelling changes no count", async () => {
  await signIns.harness.services.database.query(sql`
    update users set password_hash = (select password_hash from users where email = ${signIns.username})
    where email = 'elin@demo.test'`);
  const dotted = "el\u0130n@demo.test";
  const statuses: number[] = [];
  for (const password of ["w1", "w2", "w3", PASSWORD, "w4", "w5", "w6"]) {
    statuses.push((await fetchKey(password, dotted)).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test("two hundred failures from an IPv6 /48 refuse what follows from it, but known people", async () => {
  expect((await fetchKey(PASSWORD, signIns.username, "2001:db8:77:1::1")).status).toBe(200);
  await pretend("network 2001:db8:77::/48", 199);
  await fail(1, "ghost.wide@demo.test", "2001:db8:77:2::1");
  const other = `person${signIns.count}.other@demo.test`;
  await addPerson(signIns.harness, other, `Other ${signIns.count}`);
  expect((await fetchKey(PASSWORD, other, "2001:db8:77:3::1")).status).toBe(429);
  expect((await fetchKey(PASSWORD, signIns.username, "2001:db8:77:1::1")).status).toBe(200);
  expect((await fetchKey(PASSWORD, other, "2001:db8:78:3::1")).status).toBe(200);
});
