// Makes every endpoint's sample call with each parameter spoiled in every way.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endpoints } from "../../api/index.ts";
import { type BadValue, badValues, isRefused } from "../harness/bad-values.ts";
import { SampleWorld, sampleOf } from "./sample-world.ts";

// An endpoint with many parameters is called hundreds of times in one test.
vi.setConfig({ testTimeout: 60_000 });

let world: SampleWorld;
beforeAll(async () => {
  world = await SampleWorld.open();
}, 60_000);
afterAll(() => world.close());

describe("a parameter that breaks its declaration is refused and changes nothing", () => {
  const spoilable = endpoints.filter(({ parameters }) => Object.keys(parameters).length > 0);
  test.each(spoilable.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await world.idsFor(endpoint, "ada", world.own));
    const before = await world.stateOf("ada");
    const problems: string[] = [];
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      const expected =
        parameter.invalid === "variable-invalid"
          ? ["REQUEST_VARIABLE_INVALID", "BAD_REQUEST"]
          : ["BAD_REQUEST"];
      const codes = parameter.inPath ? [...expected, "NOT_FOUND"] : expected;
      for (const bad of badValues.filter((value) => isRefused(parameter, value))) {
        const { status, body } = await world.call(
          endpoint,
          { ...sample, [name]: bad.encoded },
          world.as("ada"),
        );
        const isRight = status >= 400 && status < 500 && codes.includes(String(body.code));
        if (!isRight) problems.push(sentence(name, bad, status, body));
      }
      if (!parameter.required || parameter.inPath) continue;
      const { [name]: _left, ...others } = sample;
      const { status, body } = await world.call(endpoint, others, world.as("ada"));
      if (status !== 400 || body.code !== "REQUEST_VARIABLE_MISSING" || body.var_name !== name) {
        problems.push(`${name} left out: ${status} ${JSON.stringify(body)}`);
      }
    }
    expect(problems).toEqual([]);
    expect(await world.stateOf("ada")).toEqual(before);
  });
});

describe("a parameter that may or may not be valid never breaks the server", () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const problems: string[] = [];
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      // A valid poll would wait here.
      if (endpoint.streams && name === "dont_block") continue;
      for (const bad of badValues.filter((value) => !isRefused(parameter, value))) {
        const sample = sampleOf(endpoint, await world.idsFor(endpoint, "dev", world.own));
        const { status, body } = await world.call(
          endpoint,
          { ...sample, [name]: bad.encoded },
          world.as("dev"),
        );
        if (status >= 500) problems.push(sentence(name, bad, status, body));
      }
    }
    expect(problems).toEqual([]);
  });
});

function sentence(name: string, { title }: BadValue, status: number, body: unknown): string {
  return `${name}, ${title}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
}
