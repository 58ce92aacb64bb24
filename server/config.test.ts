import { expect, test } from "vitest";
import { checkProxies } from "../cli/checks.ts";
import { ConfigError, readConfig } from "./config.ts";

test("trusted proxies are addresses and ranges", () => {
  const read = (text: string) => readConfig({ PARLEY_TRUSTED_PROXIES: text }).trustedProxies;
  expect(readConfig({}).trustedProxies).toEqual([]);
  expect(read("127.0.0.1, 10.0.0.0/8,::1")).toEqual(["127.0.0.1", "10.0.0.0/8", "::1"]);
  for (const wrong of ["loopback", "10.0.0.0/99", "127.0.0.1,,10.0.0.1", "*"]) {
    expect(() => read(wrong)).toThrow(ConfigError);
    expect(() => read(wrong)).toThrow("must be addresses or ranges such as 127.0.0.1 or 10.0.0.0/8");
  }
});

test("an https address without a trusted proxy is reported", () => {
  const check = (environment: NodeJS.ProcessEnv) => checkProxies(readConfig(environment)).hasPassed;
  expect(check({})).toBe(true);
  expect(check({ PARLEY_PUBLIC_URL: "http://chat.example.com" })).toBe(true);
  expect(check({ PARLEY_PUBLIC_URL: "https://chat.example.com" })).toBe(false);
  expect(check({ PARLEY_PUBLIC_URL: "https://chat.example.com", PARLEY_TRUSTED_PROXIES: "127.0.0.1" })).toBe(
    true,
  );
});
