import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, errors } from "../../../api/errors.ts";
import { authorization, type Toys } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";

const HOUR_MS = 3600 * 1000;

describe("rate limits", () => {
  // Their windows end with the hour, which may be while a test runs.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime((Math.floor(Date.now() / HOUR_MS) + 0.5) * HOUR_MS);
  });
  afterEach(() => void vi.useRealTimers());

  const rateLimits = { windowSeconds: 3600, perUser: 3, perAddress: 2 };
  const remaining = (answer: { headers: Toys["options"] | object }) =>
    (answer.headers as Record<string, string>)["x-ratelimit-remaining"];

  test("every response has the caller's remaining calls, and calls over the limit are refused", async () => {
    const { call } = await startToyServer({ rateLimits });
    const answers = [];
    for (const path of ["/toys/1", "/toys/abc", "/toys/1", "/toys/1"]) {
      answers.push(await call("GET", `/api/v1${path}`, { as: "mia" }));
    }
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 400, 200, 429]);
    expect(answers.map(remaining)).toEqual(["2", "1", "0", "0"]);
    const last = answers[3] as (typeof answers)[0];
    expect(last.headers["x-ratelimit-limit"]).toBe("3");
    expect(Number(last.headers["x-ratelimit-reset"]) % 3600).toBe(0);
    expect(body(last).code).toBe("RATE_LIMIT_HIT");
    expect(last.headers["retry-after"]).toMatch(/^\d+$/);
    expect(last.headers["retry-after"]).toBe(String(Math.ceil(body(last)["retry-after"] as number)));
    expect((await call("GET", "/api/v1/toys/1", { as: "olga" })).statusCode).toBe(200);
  });

  test("wrong and missing keys, unknown paths and unknown hosts all count against the address", async () => {
    for (const [path, headers] of [
      ["/api/v1/user", { authorization: authorization("mia", "x".repeat(32)) }],
      ["/api/v1/user", {}],
      ["/api/v1/nothing", {}],
      ["/api/v1/anyone", {}],
      ["/api/v1/anyone", { host: "other.test" }],
    ] as const) {
      const { call } = await startToyServer({ rateLimits });
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push(await call("GET", path, { headers }));
      expect(answers.map(remaining)).toEqual(["1", "0", "0"]);
      expect(answers[2]?.statusCode).toBe(429);
    }
  });

  test("an address over the limit causes no look-up of a host name", async () => {
    const asked: string[] = [];
    const { call } = await startToyServer({
      rateLimits,
      stateOf: async (host) => {
        asked.push(host);
        return undefined;
      },
    });
    const statuses = [];
    for (let index = 0; index < 5; index++) {
      const answer = await call("GET", "/api/v1/anyone", { headers: { host: `host${index}.test` } });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([404, 404, 429, 429, 429]);
    expect(asked).toEqual(["host0.test", "host1.test"]);
  });

  test("every error that passes says when to try again, in whole seconds", async () => {
    const { call } = await startToyServer({
      stateOf: () => {
        throw new ApiError(errors.databaseAway);
      },
    });
    const answer = await call("GET", "/api/v1/anyone");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
  });
});
