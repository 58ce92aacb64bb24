import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../test/harness/harness.ts";
import { knownSite } from "./site.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("the first organization has the server's address, others have it with their host name", () => {
  const { organizations } = harness.services;
  const siteOf = (state: Harness["state"], publicUrl?: string) =>
    knownSite({ publicUrl, port: 9991 }, state, organizations.isPrimary(state));
  const { state, otherState } = harness;
  expect(siteOf(state, "https://chat.example.com:8443")).toBe("https://chat.example.com:8443");
  expect(siteOf(otherState, "https://chat.example.com:8443")).toBe(`https://${OTHER_HOST}:8443`);
  expect(siteOf(state)).toBe(`http://${HOST}:9991`);
});
