import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Watch } from "./watch.ts";

type Answer = { status: number; body: object } | "none";
const fine: Answer = { status: 200, body: { status: "ok" } };
const answers = new Map<string, Answer>();
const node = { url: undefined as string | undefined, starts: 1 };
let server: http.Server;
let watch: Watch;

beforeEach(async () => {
  answers.clear();
  server = http.createServer((request, response) => {
    const answer = answers.get(request.url ?? "") ?? fine;
    if (answer === "none") request.socket.destroy();
    else response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  watch = new Watch(node);
});
afterEach(async () => {
  await watch.stop();
  server.close();
});

const unready = (reason: string): Answer => ({ status: 503, body: { status: "unready", reason } });

/** Waits until each page was asked after now. */
async function look(): Promise<void> {
  const from = Date.now();
  await expect
    .poll(() => new Set(watch.samples.filter(({ at }) => at >= from).map(({ page }) => page)).size)
    .toBe(2);
}

test("all is well where both pages say so", async () => {
  await look();
  expect(() => watch.judge({ reasons: [] })).not.toThrow();
});

test.each<[string, string, Answer, RegExp]>([
  ["a page that fails", "/ready", { status: 500, body: {} }, /\/ready answered 500/],
  [
    "a process that says it does not live",
    "/health",
    unready("disk"),
    /said that a process that lives does not/,
  ],
  ["no answer", "/health", "none", /\/health got no answer/],
  ["a reason that is not so", "/ready", unready("files"), /said what was not so/],
])("it objects to %s", async (_what, page, answer, problem) => {
  answers.set(page, answer);
  await look();
  expect(() => watch.judge({ reasons: ["disk"] })).toThrow(problem);
});

test("what is broken must be said where that is certain, and may be said", async () => {
  await look();
  expect(() => watch.judge({ reasons: ["disk"], mustSay: "disk" })).toThrow("/ready never said 'disk'");
  answers.set("/ready", unready("disk"));
  await look();
  expect(() => watch.judge({ reasons: ["disk"], mustSay: "disk" })).not.toThrow();
});

test("nothing needs to answer where the process is stopped or ends", async () => {
  answers.set("/health", "none");
  answers.set("/ready", "none");
  await look();
  expect(() => watch.judge({ reasons: [], mayNotAnswer: true })).not.toThrow();
});

test("it waits until all is well again, and says what was the last answer if it is not in time", async () => {
  answers.set("/ready", unready("database"));
  await look();
  await expect(watch.readySince(Date.now(), 300)).rejects.toThrow(/"reason":"database"/);
  const since = Date.now();
  answers.set("/ready", fine);
  expect(await watch.readySince(since, 15_000)).toBeGreaterThanOrEqual(since);
});
