import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { CounterUpdate, RateLimitPeers } from "./counter-sync.ts";
import { RateLimiter } from "./rate-limit.ts";

const here = 1 as OrganizationId;
const there = 2 as OrganizationId;
const mia = 3 as UserId;
const limits = { windowSeconds: 60, perUser: 2, perAddress: 1 };

function limiter() {
  const clock = { now: 60_000 * 1000 + 15_500 };
  return { clock, limiter: new RateLimiter(limits, () => clock.now) };
}

test("each call takes one from the limit until the window ends", () => {
  const { clock, limiter: rates } = limiter();
  expect(rates.countUser(here, mia)).toEqual({ limit: 2, remaining: 1, reset: "60060" });
  expect(rates.countUser(here, mia).remaining).toBe(0);
  expect(rates.countUser(here, mia).remaining).toBe(-1);
  clock.now += 44_500;
  expect(rates.countUser(here, mia)).toEqual({ limit: 2, remaining: 1, reset: "60120" });
});

test("users of different organizations are counted separately, even with equal ids", () => {
  const { limiter: rates } = limiter();
  rates.countUser(here, mia);
  expect(rates.countUser(there, mia).remaining).toBe(1);
});

test("the bots of one person have a limit together, which one bot alone does not use up", () => {
  const { limiter: rates } = limiter();
  const bot = (id: number, owner: UserId | null = mia) => rates.countUser(here, id as UserId, owner);
  for (let call = 0; call < 50; call++) bot(10);
  for (let id = 11; id < 15; id++)
    for (let call = 0; call < 2; call++) expect(bot(id).remaining).toBe(1 - call);
  const last = bot(15);
  expect(last).toEqual({ limit: 10, remaining: -1, reset: "60060", isOfAllBots: true });
  expect(rates.refusal(last).message).toBe(
    "The bots of one person can make 10 calls in 60 seconds together. Wait, or call less often; events tell of changes.",
  );
  expect(rates.refusal(last).fields).toEqual({ "retry-after": 44.5 });
  // The person goes on, and so do the bots of others and those without an owner.
  expect(rates.countUser(here, mia).remaining).toBe(1);
  expect(bot(16, 4 as UserId).remaining).toBe(1);
  expect(bot(17, null).remaining).toBe(1);
  expect(rates.countUser(there, 15 as UserId, mia).remaining).toBe(1);
  // A bot that goes to another person leaves what it has used where it was.
  expect(bot(18).remaining).toBe(-2);
  expect(bot(18, 4 as UserId).remaining).toBe(0);
});

test("a bot has a share of its own, since anybody may give a person a bot and keep its key", () => {
  const rates = new RateLimiter({ ...limits, perUser: 40 }, () => 60_000 * 1000);
  const bot = (id: number) => rates.countUser(here, id as UserId, mia);
  for (let id = 10; id < 15; id++) for (let call = 0; call < 40; call++) bot(id);
  expect([bot(15), bot(15)].map(({ remaining, isOfAllBots }) => [remaining, isOfAllBots])).toEqual([
    [39, undefined],
    [38, undefined],
  ]);
  expect(bot(15)).toMatchObject({ limit: 200, remaining: -3, isOfAllBots: true });
});

test("the headers are those of the limit that ends first", () => {
  const rates = new RateLimiter({ windowSeconds: 60, perUser: 4, perAddress: 1 });
  for (let id = 10; id < 14; id++)
    for (let call = 0; call < 4; call++) rates.countUser(here, id as UserId, mia);
  expect(rates.countUser(here, 14 as UserId, mia)).toMatchObject({ limit: 4, remaining: 3 });
  expect(rates.countUser(here, 15 as UserId, mia)).toMatchObject({ limit: 20, remaining: 2 });
});

test("the refusal gives the seconds until the next window", () => {
  const { limiter: rates } = limiter();
  rates.countAddress("192.0.2.1");
  expect(rates.refusal().fields).toEqual({ "retry-after": 44.5 });
});

test("an IPv6 network counts as one address, and a mapped IPv4 address as itself", () => {
  const { limiter: rates } = limiter();
  const remaining = (address: string) => rates.countAddress(address).remaining;
  expect(remaining("2001:db8:1:2::1")).toBe(0);
  expect(remaining("2001:db8:1:2:aaaa:bbbb:cccc:dddd")).toBe(-1);
  expect(remaining("2001:db8:1:3::1")).toBe(0);
  expect(remaining("::1")).toBe(0);
  expect(remaining("192.0.2.1")).toBe(0);
  expect(remaining("::ffff:192.0.2.1")).toBe(-1);
});

test("a flood of addresses ends in one shared count", () => {
  const { limiter: rates } = limiter();
  for (let index = 0; index < 100_000; index++) {
    rates.countAddress(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(rates.countAddress("192.0.2.1").remaining).toBe(0);
  expect(rates.countAddress("192.0.2.2").remaining).toBe(-1);
  expect(rates.countAddress("10.0.0.0").remaining).toBe(-1);
});

describe("two processes that exchange their counts", () => {
  const wide = { windowSeconds: 60, perUser: 20, perAddress: 20 };

  function pair() {
    const clock = { now: 60_000 * 1000 };
    const listeners: ((update: CounterUpdate) => void)[] = [];
    const sent: CounterUpdate[] = [];
    const peers = (index: number): RateLimitPeers => ({
      send(update) {
        sent.push(update);
        listeners[1 - index]?.(structuredClone(update));
      },
      onUpdate(listener) {
        listeners[index] = listener;
      },
    });
    const make = (index: number) => new RateLimiter(wide, () => clock.now, peers(index));
    return { clock, sent, one: make(0), two: make(1) };
  }

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("have one limit, and each call counts once at each", () => {
    const { sent, one, two } = pair();
    for (let count = 0; count < 5; count++) one.countUser(here, mia);
    for (let count = 0; count < 3; count++) two.countUser(here, mia);
    one.countAddress("192.0.2.1");
    expect(two.countUser(here, mia).remaining).toBe(16);
    vi.advanceTimersByTime(250);
    expect(sent).toHaveLength(2);
    expect(one.countUser(here, mia).remaining).toBe(20 - 5 - 4 - 1);
    expect(two.countUser(here, mia).remaining).toBe(20 - 5 - 4 - 1);
    expect(two.countAddress("192.0.2.1").remaining).toBe(18);
    expect(two.countUser(there, mia).remaining).toBe(19);
  });

  test("have one limit for the bots of a person", () => {
    const { one, two } = pair();
    for (let id = 10; id < 14; id++)
      for (let call = 0; call < 20; call++) one.countUser(here, id as UserId, mia);
    vi.advanceTimersByTime(250);
    expect(two.countUser(here, 14 as UserId, mia)).toMatchObject({ limit: 20, remaining: 19 });
    for (let call = 0; call < 19; call++) two.countUser(here, 15 as UserId, mia);
    expect(two.countUser(here, 15 as UserId, mia)).toMatchObject({ limit: 100, remaining: -1 });
  });

  test("ignore counts of another window", () => {
    const { clock, one, two } = pair();
    one.countUser(here, mia);
    clock.now += 60_000;
    expect(two.countUser(here, mia).remaining).toBe(19);
    vi.advanceTimersByTime(250);
    expect(two.countUser(here, mia).remaining).toBe(18);
    expect(one.countUser(here, mia).remaining).toBe(18);
  });
});
