import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { comparedVerbs, compareTimes, inTurns, type Side } from "../../bench/cost/turns.ts";

test("two checkouts measure in turns, and who is first changes", async () => {
  const order: string[] = [];
  const side =
    (name: string): Side =>
    async () => ({ node: order.push(name), database: 1 });

  const times = await inTurns([side("a"), side("b")], { verb: "star", calls: 2 }, { turns: 2, warmUp: 1 });

  expect(order.join("")).toBe("abbaab");
  // The first turn only warms the servers up.
  expect(times.map((all) => all.map(({ node }) => node))).toEqual([
    [4, 5],
    [3, 6],
  ]);
});

test("a ratio is this checkout's median divided by the other's", () => {
  const here = [30, 900, 10].map((node) => ({ node, database: 50 }));
  const there = [60, 61, 1].map((node) => ({ node, database: 40 }));
  expect(compareTimes("star", [here, there])).toEqual({
    verb: "star",
    "node µs": 30,
    "beside, node µs": 60,
    "node ratio": 0.5,
    "PostgreSQL µs": 50,
    "beside, PostgreSQL µs": 40,
    "PostgreSQL ratio": 1.25,
  });
});

test("a verb that asks the database nothing has no ratio there", () => {
  const times = [{ node: 1, database: 0 }];
  expect(compareTimes("presence", [times, times])).toMatchObject({ "PostgreSQL ratio": undefined });
});

test("verbs that only one checkout knows are not compared", () => {
  expect(comparedVerbs(["star", "mark"], ["edit", "star"])).toEqual(["star"]);
  expect(comparedVerbs(["star", "mark"], ["mark", "star"], "mark")).toEqual(["mark"]);
  expect(() => comparedVerbs(["star", "mark"], ["star"], "mark")).toThrow("There are: star.");
});

test("a comparison that can't be made is refused before anything is built", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const beside = `--beside=${folder}`;

  expect(refusalOf("cost", beside)).toMatch(/is not built/);
  expect(refusalOf("cost", "--beside")).toMatch(/needs the folder/);
  expect(refusalOf("cost", "--beside=")).toMatch(/needs the folder/);
  expect(refusalOf("cost", beside, "--verb")).toMatch(/needs a name/);
  expect(refusalOf("cost", "--verb=star")).toMatch(/needs --beside=DIR/);
  expect(refusalOf("send", beside)).toMatch(/Only cost/);
  expect(refusalOf("cost", "send", beside)).toMatch(/Only cost/);
  expect(refusalOf(beside)).toMatch(/Only cost/);
  expect(refusalOf("cost", beside, "--write=why")).toMatch(/is not saved/);
  expect(refusalOf("cost", beside, "--compare")).toMatch(/is not saved/);
  expect(refusalOf("cost", "--besides=x")).toMatch(/There is no option --besides/);
});

/** What `npm run bench` says as it refuses its words. */
function refusalOf(...words: string[]): string {
  const { status, stderr } = spawnSync(process.execPath, ["tools/bench.js", ...words], { encoding: "utf8" });
  expect(status).toBe(2);
  return stderr;
}
