import { expect, test } from "vitest";
import type { OrganizationId, UserId } from "../../api/ids.ts";
import { RateLimiter } from "./rate-limit.ts";

const here = 1 as OrganizationId;
const there = 2 as OrganizationId;
const mia = 3 as UserId;
const limits = { windowSeconds: 60, perUser: 2, perAddress: 1 };

function limiter() {
  const clock = { now: 60_000 * 1000 + 15_500 };
  return { clock, limiter: new RateLimiter(limits, () => clock.now) };
}

test("each call takes one of what remains until the window ends", () => {
  const { clock, limiter: rates } = limiter();
  expect(rates.countUser(here, mia)).toEqual({ limit: 2, remaining: 1, reset: "60060" });
  expect(rates.countUser(here, mia).remaining).toBe(0);
  expect(rates.countUser(here, mia).remaining).toBe(-1);
  clock.now += 44_500;
  expect(rates.countUser(here, mia)).toEqual({ limit: 2, remaining: 1, reset: "60120" });
});

test("people of different organizations are counted apart, even under one id", () => {
  const { limiter: rates } = limiter();
  rates.countUser(here, mia);
  expect(rates.countUser(there, mia).remaining).toBe(1);
});

test("the refusal says in seconds when to come back", () => {
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
