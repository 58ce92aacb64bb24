import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { PresenceExchange } from "./exchange.ts";
import { type Presences, presences } from "./presences.ts";

const DAY_MS = 24 * 3600 * 1000;

let harness: Harness;
let clock = Date.now();
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // Everybody is offline, also those who were there in the tests before.
  clock += 60 * DAY_MS;
  vi.setSystemTime(clock);
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const nodeOf = () =>
  Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
const exchangeOf = ({ services }: Node) => new PresenceExchange(services, () => {});
const at = (node: Node): Presences => node.state.get(presences);
const changedAt = (node: Node, since: number) =>
  [...at(node).changedSince(since)].map(({ userId }) => userId as number).sort();
const dev = () => harness.user("dev").user.id;
const ada = () => harness.user("ada").user.id;

test("what was reported to one is known to the others after an exchange, and ids mean the same", async () => {
  const [one, two] = [await nodeOf(), await nodeOf()];
  try {
    const since = at(one).lastUpdateId;
    expect(at(two).lastUpdateId).toBe(since);
    at(one).report(dev(), true, Date.now());
    await exchangeOf(one).run();
    at(two).report(ada(), false, Date.now());
    // Two has not looked yet. The id of the batch of one gives nothing there, and nothing is missed later.
    const ahead = at(one).lastUpdateId;
    expect(changedAt(two, ahead)).toEqual([]);
    expect(at(two).lastUpdateId).toBe(since);
    await exchangeOf(two).run();
    expect(changedAt(two, since)).toEqual([ada(), dev()].sort());
    expect(changedAt(two, ahead)).toEqual([ada()]);
    await exchangeOf(one).run();
    expect(at(one).lastUpdateId).toBe(at(two).lastUpdateId);
    expect(changedAt(one, ahead)).toEqual([ada()]);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
});

test("batches that are written at the same time have growing ids, and none is missed", async () => {
  const nodes = [await nodeOf(), await nodeOf(), await nodeOf()] as const;
  const people = (["ada", "ben", "cleo", "dev", "elin", "gus"] as const).map(
    (name) => harness.user(name).user.id,
  );
  try {
    const learned = nodes.map(() => new Set<number>());
    for (let round = 0; round < 5; round++) {
      later(300);
      const known = nodes.map((node) => at(node).lastUpdateId);
      for (const [index, userId] of people.entries()) {
        at(nodes[index % 3] as Node).report(userId, true, Date.now());
      }
      await Promise.all(nodes.map((node) => exchangeOf(node).run()));
      await Promise.all(nodes.map((node) => exchangeOf(node).run()));
      for (const [index, node] of nodes.entries()) {
        learned[index]?.clear();
        for (const userId of changedAt(node, known[index] as number)) learned[index]?.add(userId);
      }
      expect(learned.map((each) => each.size)).toEqual([6, 6, 6]);
    }
    expect(new Set(nodes.map((node) => at(node).lastUpdateId)).size).toBe(1);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});

test("a node that starts knows what was written, and an id of before gives all that came since", async () => {
  const one = await nodeOf();
  at(one).report(dev(), true, Date.now());
  await exchangeOf(one).run();
  const since = at(one).lastUpdateId;
  at(one).report(ada(), false, Date.now());
  await exchangeOf(one).stop();
  await one.stop();
  const two = await nodeOf();
  try {
    expect(at(two).find(dev())).toMatchObject({ activeAt: Date.now(), connectedAt: Date.now() });
    expect(changedAt(two, since)).toEqual([ada()]);
    // Nobody is taken for offline because the node is new.
    expect(at(two).report(ada(), false, Date.now() + 60_000)).toBe(false);
  } finally {
    await two.stop();
  }
});

test("ids grow when the newest batches are lost, and when the clock is behind them", async () => {
  const one = await nodeOf();
  const { database } = harness.services;
  try {
    at(one).report(dev(), true, Date.now());
    await exchangeOf(one).run();
    const lost = at(one).lastUpdateId;
    // A crash of the database that loses the batch. The ids come from its clock.
    await database.query(sql`delete from presences where update_id >= ${lost}`);
    at(one).report(ada(), true, Date.now());
    await exchangeOf(one).run();
    expect(at(one).lastUpdateId).toBeGreaterThan(lost);
    const ahead = lost + 10 * DAY_MS;
    await database.query(sql`update presences set update_id = ${ahead} where user_id = ${ada()}`);
    const two = await nodeOf();
    at(two).report(dev(), true, Date.now());
    await exchangeOf(two).run();
    expect(at(two).lastUpdateId).toBe(ahead + 1);
    await two.stop();
  } finally {
    await one.stop();
  }
});

test("a batch that fails is written by the next exchange", async () => {
  const one = await nodeOf();
  try {
    at(one).report(dev(), true, Date.now());
    const transaction = vi
      .spyOn(one.services.database, "transaction")
      .mockRejectedValueOnce(new Error("gone"));
    await expect(exchangeOf(one).run()).rejects.toThrow("gone");
    transaction.mockRestore();
    const since = at(one).lastUpdateId;
    await exchangeOf(one).run();
    expect(changedAt(one, since)).toEqual([dev()]);
  } finally {
    await one.stop();
  }
});

test("what was written while the clock was ahead is forgotten, on all nodes and after a start", async () => {
  const [one, two] = [await nodeOf(), await nodeOf()];
  const real = Date.now();
  const known = async () => {
    const three = await nodeOf();
    const found = [one, two, three].map((node) => at(node).find(dev())?.connectedAt);
    await three.stop();
    return found;
  };
  try {
    vi.setSystemTime(real + DAY_MS);
    at(one).report(dev(), true, Date.now());
    await exchangeOf(one).run();
    vi.setSystemTime(real);
    await exchangeOf(two).run();
    later(300);
    const now = Date.now();
    expect(await known()).toEqual([undefined, real, undefined]);
    at(two).report(dev(), true, now);
    await exchangeOf(two).run();
    await exchangeOf(one).run();
    expect(await known()).toEqual([now, now, now]);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
});
