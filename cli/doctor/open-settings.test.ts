import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { checkOpenSettings } from "./open-settings.ts";

const cases: [name: string, value: string, fault: string | undefined, hasPassed?: boolean][] = [
  ["PARLEY_TRUSTED_PROXIES", "0.0.0.0/0", "proxies-everybody", false],
  ["PARLEY_TRUSTED_PROXIES", "127.0.0.1,::/0", "proxies-everybody", false],
  ["PARLEY_TRUSTED_PROXIES", "0.0.0.0/1,128.0.0.0/1", "proxies-everybody", false],
  ["PARLEY_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8,fc00::/7", undefined],
  ["PARLEY_RATE_LIMITS", "off", "limits-off", true],
  ["PARLEY_RATE_LIMITS", "on", undefined],
  ["PARLEY_OUTGOING_ALLOW", "0.0.0.0/0", "outgoing-everywhere", true],
  ["PARLEY_OUTGOING_ALLOW", "10.1.2.3,fd00::/8", undefined],
  ["PARLEY_PUBLIC_URL", "http://chat.example.com", "public-url-plain", true],
  ["PARLEY_PUBLIC_URL", "http://203.0.113.9:9991", "public-url-plain", true],
  ["PARLEY_PUBLIC_URL", "http://[2001:db8::9]:9991", "public-url-plain", true],
  ["PARLEY_PUBLIC_URL", "https://chat.example.com", undefined],
  ["PARLEY_PUBLIC_URL", "http://192.168.1.9:9991", undefined],
  ["PARLEY_PUBLIC_URL", "http://[::1]:9991", undefined],
  ["PARLEY_PUBLIC_URL", "http://chat", undefined],
  ["PARLEY_PUBLIC_URL", "http://chat.lan", undefined],
];

test.each(cases)("doctor judges %s=%s", (name, value, fault, hasPassed) => {
  const findings = checkOpenSettings(readConfig({ [name]: value }));
  expect(findings.map((finding) => [finding.fault, finding.hasPassed])).toEqual(
    fault === undefined ? [] : [[fault, hasPassed]],
  );
  for (const { text, advice } of findings) {
    expect(text).toContain(name);
    expect(advice).toMatch(/\.$/);
  }
});

test("a server with the defaults, and one of development without limits, are left alone", () => {
  expect(checkOpenSettings(readConfig({}))).toEqual([]);
  expect(checkOpenSettings(readConfig({ PARLEY_ENV: "development", PARLEY_RATE_LIMITS: "off" }))).toEqual([]);
});
