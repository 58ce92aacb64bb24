import { expect, test, vi } from "vitest";
import { judgeClock } from "./clock-part.ts";
import { judgeSchema } from "./database-part.ts";
import { judgeSpace } from "./disk-part.ts";
import { describeSeconds } from "./duration.ts";
import { down, type Finding, ok, type Part, warning } from "./finding.ts";
import { Health } from "./health.ts";
import { judgeJobs } from "./jobs-part.ts";
import { judgeMail } from "./mail-part.ts";
import { whyNotReady } from "./readiness.ts";

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;

/** A part whose findings are given one after another, and a log that remembers its lines. */
function watched(...findings: (Finding | Error)[]) {
  const lines: string[] = [];
  const log = {
    info: (_facts: object, sentence: string) => void lines.push(`info ${sentence}`),
    warn: (_facts: object, sentence: string) => void lines.push(`warn ${sentence}`),
    error: (_facts: object, sentence: string) => void lines.push(`error ${sentence}`),
  };
  const part: Part = {
    name: "disk",
    everySeconds: 10,
    async check() {
      const next = findings.shift();
      if (next instanceof Error) throw next;
      return next ?? ok("Fine.");
    },
  };
  return { health: new Health([part], log), lines };
}

/** Lets the time go on in which parts are looked at. */
async function watch(health: Health, seconds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
  try {
    health.start();
    for (let each = 0; each < seconds; each++) await vi.advanceTimersByTimeAsync(1000);
    health.stop();
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
}

test("the log has a line for each change, and none for what stays", async () => {
  const low = warning("disk-low", "Low.");
  const full = down("disk-full", "Full.");
  const { health, lines } = watched(ok("Fine."), low, low, low, full, full, ok("Fine."), ok("Fine."));
  await watch(health, 80);
  expect(lines).toEqual(["warn Low.", "error Full.", "info Well again: Fine."]);
  expect(health.findings.get("disk")).toEqual(ok("Fine."));
});

test("what is found once, and not a second later, is no news", async () => {
  const { health, lines } = watched(ok("Fine."), down("disk-full", "Full."), ok("Fine."));
  await watch(health, 30);
  expect(lines).toEqual([]);
  expect(health.findings.get("disk")).toEqual(ok("Fine."));
});

test("a part that can't be asked is down, and a part that hangs is asked once", async () => {
  const { health } = watched(new Error("gone"));
  expect(await health.check("disk")).toEqual(down("unknown", "It can't be asked: gone"));
  let asked = 0;
  const hanging: Part = {
    name: "mail",
    everySeconds: 60,
    check: () => {
      asked++;
      return new Promise(() => {});
    },
  };
  const log = { info() {}, warn() {}, error() {} };
  const other = new Health([hanging], log);
  void other.check("mail");
  void other.check("mail");
  expect(asked).toBe(1);
  expect(await other.check("disk")).toBeUndefined();
});

test("nothing is noted after the stop", async () => {
  const { health } = watched(ok("Fine."), down("disk-full", "Full."), down("disk-full", "Full."));
  await watch(health, 5);
  expect(health.findings.get("disk")?.code).toBe("ok");
});

test.each([
  [{ free: 200 * GiB, size: 1000 * GiB }, "ok", "ok"],
  [{ free: 90 * GiB, size: 1000 * GiB }, "warning", "disk-low"],
  [{ free: 499 * MiB, size: 1 * GiB }, "warning", "disk-nearly-full"],
  [{ free: 31 * MiB, size: 100 * GiB }, "down", "disk-full"],
  [{ free: 0, size: 100 * GiB }, "down", "disk-full"],
])("of a disk with %o", (space, level, code) => {
  expect(judgeSpace("disk", "/data", space)).toMatchObject({ level, code });
});

test.each([
  [53, "ok"],
  [52, "database-old"],
  [54, "database-newer"],
])("a database of schema %i, for a program of schema 53", (schema, code) => {
  expect(judgeSchema(schema, 53).code).toBe(code);
});

test.each([
  [0, 0, "ok"],
  [0, -59, "ok"],
  [-61, null, "clock-differs"],
  [61, null, "clock-differs"],
  [0, 61, "clock-behind"],
])("a clock %i s ahead of the database's, with a newest message of in %s s", (ahead, newest, code) => {
  const own = 1_700_000_000_000;
  const newestMessage = newest === null ? null : own + newest * 1000;
  expect(judgeClock(own, { now: own - ahead * 1000, newestMessage }).code).toBe(code);
});

test.each([
  [0, 0, "ok"],
  [0, 601, "jobs-late"],
  [2, 0, "jobs-failed"],
])("%i failed jobs, and the oldest waits for %i s", (failed, waitedSeconds, code) => {
  expect(judgeJobs({ failed, waitedSeconds }).code).toBe(code);
});

test.each([
  [true, 0, 0, "ok"],
  [true, 3, 100, "ok"],
  [true, 1, 901, "mail-late"],
  [false, 0, 0, "ok"],
  [false, 2, 5, "mail-off"],
])("with settings: %s, %i mails wait, the oldest for %i s", (canSend, count, waitedSeconds, code) => {
  expect(judgeMail(canSend, { count, waitedSeconds, lastAnswer: null, refused: 0 }).code).toBe(code);
});

test("mail that is late is told with the mail server's words", () => {
  const { sentence } = judgeMail(true, {
    ...{ count: 3, waitedSeconds: 7200, refused: 0 },
    lastAnswer: "connection refused",
  });
  expect(sentence).toMatch(/^3 mails wait, the oldest for 2 hours: connection refused\. parley mail queue /);
  const refused = judgeMail(true, { count: 0, waitedSeconds: 0, lastAnswer: null, refused: 2 });
  expect([refused.code, refused.sentence]).toEqual([
    "ok",
    expect.stringContaining("2 were refused in the last"),
  ]);
});

test.each([
  [61, "61 seconds"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [7200, "2 hours"],
  [400 * 86_400, "400 days"],
])("%i s are %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});

test.each<[Record<string, Finding>, string | undefined]>([
  [{ disk: ok(""), database: ok("") }, undefined],
  [{ disk: warning("disk-low", ""), database: warning("database-newer", "") }, undefined],
  [{ disk: down("disk-full", ""), database: ok("") }, "disk"],
  [{ disk: ok(""), database: down("database-away", "") }, "database"],
  [{ disk: ok(""), database: down("database-old", "") }, "schema"],
  [{ disk: ok(""), database: ok(""), mail: down("unknown", ""), files: down("files-away", "") }, undefined],
])("with %o a server is ready but for: %s", async (findings, reason) => {
  const parts = Object.entries(findings).map(
    ([name, finding]): Part => ({ name: name as "disk", everySeconds: 1, check: async () => finding }),
  );
  const log = { info() {}, warn() {}, error() {} };
  expect(await whyNotReady(new Health(parts, log))).toBe(reason);
});
