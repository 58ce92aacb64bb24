import { expect, test } from "vitest";
import { judgeCertificate } from "./certificate-part.ts";

const DAY_MS = 24 * 3600_000;
const NOW = Date.parse("2026-11-29T00:00:00Z");

test.each<[string, number, number, boolean, string]>([
  ["with months left", -30, 60, true, "ok"],
  ["in its last two weeks", -80, 10, true, "certificate-ends"],
  ["of six days with two left", -4, 2, true, "ok"],
  ["of six days with one left", -5, 1, true, "certificate-ends"],
  ["that has ended", -90, -1, true, "certificate-expired"],
  ["of tomorrow", 1, 60, true, "certificate-early"],
  ["for another host", -30, 60, false, "certificate-host"],
])("a certificate %s", (_name, from, to, fitsHost, code) => {
  const validity = {
    validFrom: new Date(NOW + from * DAY_MS),
    validTo: new Date(NOW + to * DAY_MS),
    fitsHost,
  };
  expect(judgeCertificate(validity, "chat.example.com", NOW).code).toBe(code);
});
