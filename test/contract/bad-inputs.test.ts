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
      // They change nothing, so no call meets what another did.
      const refused = badValues.filter((value) => isRefused(parameter, value));
      const call = ({ encoded }: BadValue) =>
        world.call(endpoint, { ...sample, [name]: encoded }, world.as("ada"));
      const answers = await (endpoint.files ? inTurn : atOnce)(refused, call);
      for (const [index, { status, body }] of answers.entries()) {
        const isRight = status >= 400 && status < 500 && codes.includes(String(body.code));
        if (!isRight) problems.push(sentence(name, refused[index] as BadValue, status, body));
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
      const call = async (bad: BadValue) => {
        const sample = sampleOf(endpoint, await world.idsFor(endpoint, "dev", world.own));
        const { status, body } = await world.call(
          endpoint,
          { ...sample, [name]: bad.encoded },
          world.as("dev"),
        );
        if (status >= 500) problems.push(sentence(name, bad, status, body));
      };
      const allowed = badValues.filter((value) => !isRefused(parameter, value));
      // Some of the others change things, and each finds what those before have left.
      await (endpoint.method === "GET" ? atOnce : inTurn)(allowed, call);
    }
    expect(problems).toEqual([]);
  });
});

/** Calls at once share one look at the log, which costs more than the rest of a refused call. */
function atOnce<T>(values: readonly BadValue[], call: (bad: BadValue) => Promise<T>): Promise<T[]> {
  return Promise.all(values.map(call));
}

/** For calls that change something, and for those with files, of which a person may send few at once. */
async function inTurn<T>(values: readonly BadValue[], call: (bad: BadValue) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (const bad of values) answers.push(await call(bad));
  return answers;
}

function sentence(name: string, { title }: BadValue, status: number, body: unknown): string {
  return `${name}, ${title}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
}
