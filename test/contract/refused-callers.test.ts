// Makes every endpoint's sample call with wrong credentials, or with another organization's ids.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Access } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import type { CastName } from "../harness/harness.ts";
import { basic, type Fields, SampleWorld, sampleIds, sampleOf } from "./sample-world.ts";

let world: SampleWorld;
beforeAll(async () => {
  world = await SampleWorld.open();
}, 60_000);
afterAll(() => world.close());

describe("a call without the right credentials is refused and changes nothing", () => {
  const closed = endpoints.filter(({ access }) => access !== "anyone");
  test.each(closed.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await world.idsFor(endpoint, "ada", world.own));
    const before = await world.stateOf("ada");
    const attempts: Record<string, Fields> = {
      "no credentials": {},
      "a wrong key": basic(world.harness.user("ada").email, "x".repeat(32)),
      "a malformed key": basic(world.harness.user("ada").email, "short"),
      "another's key": basic(world.harness.user("ada").email, world.harness.user("dev").apiKey),
      "the key of a stranger": basic(world.harness.user("zed").email, world.harness.user("zed").apiKey),
      "the key of someone deactivated": basic(world.gone.email, world.gone.apiKey),
      "credentials that can't be read": { authorization: "Basic %%%" },
    };
    for (const [title, headers] of Object.entries(attempts)) {
      const { status, body } = await world.call(endpoint, sample, headers);
      expect({ title, status, code: body.code }).toEqual({ title, status: 401, code: "UNAUTHORIZED" });
    }
    expect(await world.stateOf("ada")).toEqual(before);
  });

  const reserved: [Access, CastName][] = [
    ["member", "gus"],
    ["administrator", "cleo"],
    ["owner", "ben"],
  ];
  const cases = reserved.flatMap(([access, name]) =>
    endpoints
      .filter((endpoint) => endpoint.access === access)
      .map((endpoint) => [endpoint.name, name, endpoint] as const),
  );
  test.each(cases)("%s is refused to %s, whose role is too low", async (_, name, endpoint) => {
    const sample = sampleOf(endpoint, await world.idsFor(endpoint, "ada", world.own));
    const before = await world.stateOf("ada");
    const { status, body } = await world.call(endpoint, sample, world.as(name));
    expect(status, JSON.stringify(body)).toBe(400);
    expect(["UNAUTHORIZED_PRINCIPAL", "BAD_REQUEST"]).toContain(body.code);
    expect(await world.stateOf("ada")).toEqual(before);
  });
});

describe("things of another organization are treated as missing", () => {
  const naming = endpoints.filter((endpoint) => {
    const ids = { ...sampleIds(1), queueId: "a", lastEventId: 1, freshName: "fresh" };
    const others = {
      ...sampleIds(2),
      channelName: ids.channelName,
      topic: ids.topic,
      queueId: "b",
      lastEventId: 1,
      freshName: ids.freshName,
    };
    return JSON.stringify(endpoint.sample(ids)) !== JSON.stringify(endpoint.sample(others));
  });
  test.each(naming.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await world.idsFor(endpoint, "zed", world.foreign));
    const before = [await world.stateOf("ada"), await world.stateOf("zed")];
    const { status, body } = await world.call(endpoint, sample, world.as("ada"));
    const text = JSON.stringify(body);
    // A list of what there is leaves them out; everything else refuses.
    if (endpoint.method === "GET" && status === 200) expect(text).not.toMatch(/@zed\.test|@other\.test/);
    else expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect([await world.stateOf("ada"), await world.stateOf("zed")]).toEqual(before);
  });
});
