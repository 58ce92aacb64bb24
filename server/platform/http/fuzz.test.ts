import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp } from "./app.ts";

let app: FastifyInstance;
const { options, logged } = toys({ isDevelopment: true });

beforeAll(async () => {
  // /broken, /unwritable and /lost fail on purpose, and nothing here answers a held poll or /slow.
  const unanswered = ["broken", "unwritable", "lost", "slow", "pollToys"];
  app = await createHttp({
    ...options,
    routes: options.routes.filter(({ endpoint }) => !unanswered.includes(endpoint.name)),
  });
});

afterAll(() => app.close());

/** A fixed sequence of numbers, so that a failure can be reproduced. */
function dice(seed: number) {
  let value = seed;
  const roll = (sides: number) => {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    return Math.floor((value / 2 ** 32) * sides);
  };
  return { roll, pick: <T>(list: readonly T[]): T => list[roll(list.length)] as T };
}

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "HEAD"] as const;
const paths = [
  "/api/v1/toys",
  "/api/v1/toys/",
  "/api/v1/views/",
  "/api/v1//",
  "/api/v1/anyone",
  "/api/",
  "/",
  "/health",
  "/ready",
  "",
];
const names = [
  "to",
  "content",
  "name",
  "label",
  "shade",
  "is_soft",
  "sizes",
  "toy_id",
  "count",
  "words",
  "flags",
  "client",
  "__proto__",
];
const values = [
  "",
  "null",
  "true",
  "1",
  "-1",
  "1e999",
  "9".repeat(400),
  "[",
  "[]",
  "{}",
  '{"__proto__":{"x":1}}',
  '["\\u0000"]',
  '["\\ud800"]',
  "[[[[[[",
  '"',
  '"a"',
  "NaN",
  "undefined",
  "%00",
  "%ff",
  "%u0041",
  "%",
  "\u0000",
  "\ud800",
  "é",
  "🦜",
  "<script>",
  "../../etc/passwd",
  "constructor",
  "a".repeat(3000),
];
const types = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=latin1",
  "multipart/form-data",
  "multipart/form-data; boundary=b",
  'multipart/form-data; boundary="',
  "application/json",
  "text/plain",
  ";",
  "a/b/c",
  "",
];
const authorizations = [
  authorization("mia"),
  authorization("gil"),
  authorization("mia", "short"),
  "Basic",
  "Basic Og==",
  "Basic =",
  "Bearer x",
  "é",
  "",
];

// Several short walks, because a long one reaches the limit of a test on a machine that is busy.
test.each([20261121, 20261122, 20261123, 20261124, 20261125])(
  "no request of walk %d makes the server fail, even with random content",
  async (seed) => {
    const { roll, pick } = dice(seed);
    const pair = () =>
      `${pick([encodeURIComponent, String])(pick(names))}=${roll(2) ? safeEncode(pick(values)) : pick(values)}`;
    const object = () =>
      `{${Array.from({ length: roll(6) }, () => `${JSON.stringify(pick(names))}:${roll(2) ? JSON.stringify(pick(values)) : pick(values)}`).join(",")}}`;
    const pairs = () => Array.from({ length: roll(6) }, pair).join("&");
    for (let count = 0; count < 1000; count++) {
      const type = pick(types);
      const request = {
        method: pick(methods),
        url: asciiUrl(`${pick(paths)}${roll(2) ? pick(values) : ""}?${pairs()}`),
        headers: {
          host: pick(["toy.test", "toy.test", "toy.test", "other", "a b", ""]),
          authorization: Buffer.from(pick(authorizations)).toString("latin1"),
          "user-agent": pick(["ZulipPython/1", "Mozilla/5.0", "", "/", "(", "x".repeat(100)]),
          ...(type !== "" && { "content-type": type }),
        },
        payload: type.startsWith("multipart")
          ? pick([pairs(), part(pick(names), pick(values)), "--b", ""])
          : type === "application/json" && roll(2)
            ? pick([object(), object(), `[${object()}]`, object().slice(1)])
            : pairs(),
      };
      const answer = await app.inject(request);
      expect(answer.statusCode, JSON.stringify(request)).toBeLessThan(500);
      if (request.method === "HEAD" || !answer.raw.req.url?.startsWith("/api/")) continue;
      expect(["success", "error"], JSON.stringify(request)).toContain(
        (JSON.parse(answer.body) as { result: string }).result,
      );
    }
    expect(logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);

function part(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;
}

function safeEncode(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "?"));
}

/** A URL as Node reads it: every byte is a character. It can't contain spaces and control characters. */
function asciiUrl(url: string): string {
  return Buffer.from(url.replace(/[\0-\x20]/g, "")).toString("latin1");
}
