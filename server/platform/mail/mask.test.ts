import { expect, test } from "vitest";
import { linkSecrets, maskAddress, maskAnswer } from "./mask.ts";

test.each([
  ["ben@ex.test", "b…@ex.test"],
  ["b@ex.test", "…@ex.test"],
  ["ääni@ex.test", "ä…@ex.test"],
  ["a@b@ex.test", "a…@ex.test"],
  ["nothing", "…"],
])("%s is shown as %s", (address, masked) => {
  expect(maskAddress(address)).toBe(masked);
});

test.each([
  ["550 5.1.1 <ben@ex.test>: no such user", "550 5.1.1 <b…@ex.test>: no such user"],
  ["550 BEN@EX.TEST unknown, ask help@other.test", "550 B…@EX.TEST unknown, ask h…@other.test"],
  ["550 user ben is unknown, Benjamin is not", "550 user … is unknown, Benjamin is not"],
  ["451\r\nlater\u0007\u202e please\u2028", "451 later please"],
  ["535 no: s3cret+ is wrong", "535 no: … is wrong"],
])("the answer %j is kept as %j", (answer, kept) => {
  expect(maskAnswer(answer, "ben@ex.test", ["s3cret+", ""])).toBe(kept);
});

test.each(["anna-lena", "o'neil", "a+b.c_d", "x^y$z", "a{b}|c/d", "[a](b)*?\\", "müller-lüdenscheidt"])(
  "the name %j is hidden where an answer has it, and nothing else is",
  (name) => {
    const answer = `550 no ${name}, and not x${name} or ${name}9`;
    expect(maskAnswer(answer, `${name}@ex.test`)).toBe(`550 no …, and not x${name} or ${name}9`);
  },
);

test("an answer is kept up to 300 characters, and half an address at its end is not", () => {
  const long = maskAnswer(`550 ${"x ".repeat(500)}`, "ben@ex.test");
  expect([...long]).toHaveLength(300);
  const many = `550 ${"someone-with-a-long-name@a-long-domain.test ".repeat(100)}`;
  expect(maskAnswer(many, "ben@ex.test")).not.toContain("someone");
  expect(maskAnswer("x".repeat(1_000_000), "ben@ex.test")).toBe("");
});

test("what works like a password in the links of a mail is not in an answer that quotes them", () => {
  const code = "n-AeVGN4_pvvTh7TLJ1kq0bYyWkNlxFQ";
  const link = `https://a-long-name-of-a-host.test/team/join/${code}`;
  const secrets = linkSecrets(`Take your seat:\n${link}\nOr not: https://ex.test/stop?of=${code}x#there`);
  expect(secrets).toEqual([code, `${code}x`]);
  const answer = `554 5.7.1 bad links: ${link}, a-long-name-of-a-host.test/team/join/${code}?a`;
  const kept =
    "554 5.7.1 bad links: https://a-long-name-of-a-host.test/team/join/…, a-long-name-of-a-host.test/team/join/…?a";
  expect(maskAnswer(answer, "ben@ex.test", secrets)).toBe(kept);
});
