import { expect, test } from "vitest";
import { parseDomain, readDomain } from "./domain-name.ts";

test.each([
  ["example.com", "example.com"],
  [" Example.COM ", "example.com"],
  ["example.com.", "example.com"],
  ["a-b.c0.example", "a-b.c0.example"],
  ["Bücher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["ｅｘａｍｐｌｅ.com", "example.com"],
  ["例え。jp", "xn--r8jz45g.jp"],
  ["123.example", "123.example"],
])("%j is the domain %s", (text, domain) => {
  expect([parseDomain(text), readDomain(text)]).toEqual([domain, domain]);
});

test.each([
  ["", "can't be empty"],
  ["   ", "can't be empty"],
  ["localhost", "at least one dot"],
  ["example..com", "between two dots"],
  [".example.com", "between two dots"],
  ["example.com..", "between two dots"],
  ["-a.example", "start or end with a '-'"],
  ["a-.example", "start or end with a '-'"],
  ["a_b.example", "letters, numbers"],
  ["a b.example", "letters, numbers"],
  ["*.example.com", "letters, numbers"],
  ["ada@example.com", "letters, numbers"],
  ["https://example.com", "letters, numbers"],
  ["ex%61mple.com", "letters, numbers"],
  ["xn--a.example", "no domain can have"],
  ["a\u{202e}b.example", "no domain can have"],
  ["127.0.0.1", "IP address"],
  ["１２７.１", "IP address"],
  [`${"a".repeat(64)}.example`, "part of the domain is too long"],
  [`${"a.".repeat(126)}example`, "Domain is too long"],
])("%j is no domain", (text, reason) => {
  expect(readDomain(text)).toBeUndefined();
  expect(() => parseDomain(text)).toThrow(reason);
});
