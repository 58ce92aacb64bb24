// Exports of Mattermost that are broken, or that somebody made to break something.
import { expect, test } from "vitest";
import { linesOf, mattermostExport, record, SECOND, START } from "../../../test/harness/mattermost-export.ts";
import { say, useMattermostImports, withLines } from "../../../test/harness/mattermost-import.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { reportTheRest } from "../core/import.ts";

const { readBytes, read, run, textsOf, countOrganizations } = useMattermostImports();

test("an export that is torn, foreign, empty or of another version is refused with a sentence", async () => {
  const lines = linesOf(mattermostExport());
  const problemOf = async (text: string) =>
    readBytes(text, "torn.mm.test").then(
      () => "none",
      (error: unknown) => (error instanceof ArchiveError ? error.message : `${error}`),
    );
  expect(await problemOf(lines.slice(0, -20))).toContain("ends in the middle");
  expect(await problemOf(lines.replace('{"type":"team"', '{"type":team'))).toContain(
    "no valid JSON in line 3",
  );
  expect(await problemOf('{"type":"team","team":{}}\n')).toContain(
    "does not begin as an export of Mattermost",
  );
  expect(await problemOf('{"type":"version","version":2}\n')).toContain("only version 1 is");
  expect(await problemOf("{}\n[]\n")).toContain("does not begin");
  expect(await problemOf(lines.split("\n").slice(0, 3).join("\n"))).toContain("none");
  const { lines: all, files } = mattermostExport();
  const climbing = { lines: all, files: { ...files, "data/../../evil": "x" } };
  await expect(read(climbing, "torn.mm.test")).rejects.toThrow("leads out of its folder");
  expect(await countOrganizations("torn.mm.test")).toBe(0);
});

test("attachments whose path climbs, or that come twice, are files of the archive or none", async () => {
  const paths = [
    "../../../etc/passwd",
    "/etc/passwd",
    "data/20260101/teams/x/plan *a*.txt",
    "",
    "x".repeat(5000),
  ];
  const { report } = await run(
    withLines(
      say("paths", { attachments: [...paths, null, 5].map((path) => ({ path })) }),
      say("none", { attachments: {} }),
    ),
    "paths.mm.test",
  );
  const text = (await textsOf("paths.mm.test", "mara")).find((each) => each.startsWith("paths")) ?? "";
  expect(text.match(/\/user_uploads\//g)).toHaveLength(1);
  expect(text).toContain("\npasswd\n");
  expect(report.losses.get("files that are not in the archive do not come")?.count).toBe(4);
});

test("messages without a time, a sender or people, or of the future, are counted and left out", async () => {
  const bad = [
    ...[undefined, null, "1700000000000", -1, 0, 1e300].map((create_at) => say("when?", { create_at })),
    say("tomorrow", { create_at: Date.now() + 10 * 24 * 3600 * SECOND }),
    ...[null, 5, "", "a b", {}].map((user) => say("who?", { user })),
    ...[null, [], ["mara", 5], "mara"].map((channel_members) =>
      record("direct_post", { channel_members, user: "mara", message: "to whom?", create_at: START }),
    ),
  ];
  const { report } = await read(withLines(...bad), "bad.mm.test", { maxSkippedPercent: 100 });
  const countOf = (reason: string) => report.losses.get(reason)?.count;
  expect(countOf("messages without a time were left out")).toBe(6);
  expect(countOf("messages of the future were left out")).toBe(1);
  expect(countOf("messages without a sender were left out")).toBe(5);
  expect(countOf("direct messages whose people can't be read were left out")).toBe(4);
});

test("replies of replies, as deep as a line may have them, are replies of the thread", async () => {
  let deep: object = { user: "mara", message: "deepest", create_at: START + 40 * SECOND };
  for (let depth = 0; depth < 1000; depth++) {
    deep = { user: "tomas", message: `at ${depth}`, create_at: START + 40 * SECOND, replies: [deep] };
  }
  const given = await read(withLines(say("Deep thread", { replies: [deep] })), "deep.mm.test");
  expect(given.report.counts.get("messages")).toEqual({ found: 1018, taken: 1017 });
  const topics = new Set<unknown>();
  for await (const { to, text } of given.read.spool.messages()) if (text === "deepest") topics.add(to);
  expect([...topics]).toEqual([{ channelId: "alpha:town-square", topic: "2023-11-14 Deep thread" }]);
});

test("any field removed, null, mistyped or huge makes a report or a refusal, and writes nothing", {
  timeout: 90_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  // To repeat a failure, put the seed in its place.
  process.stdout.write(`random walk of the Mattermost import: seed ${seed}\n`);
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const wrong = [
    ...[undefined, null, 0, -1, 1e300, "", "x".repeat(200_000), [], [null], {}, true, "\u0000\ud800", "mara"],
    ...["__proto__", "constructor", "\ufdd0p:mara:x\ufdd1", "a:b:c/d"],
  ];
  for (let step = 0; step < 150; step++) {
    const { lines } = structuredClone(mattermostExport());
    for (let changes = 0; changes <= below(3); changes++) mutate(lines, below, wrong);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const outcome = await readBytes(text, "walk.mm.test", { maxSkippedPercent: 100 }).catch(
      (error: Error) => error,
    );
    if (outcome instanceof Error) {
      expect(outcome, `seed ${seed}, step ${step}: ${outcome.stack}`).toBeInstanceOf(ArchiveError);
    } else await reportTheRest(outcome.read, outcome.report);
  }
  expect(await countOrganizations("walk.mm.test")).toBe(0);
});

/** Changes one value in one of the lines. */
function mutate(lines: object[], below: (count: number) => number, wrong: readonly unknown[]): void {
  let holder = lines[below(lines.length)] as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(holder);
    const key = keys[below(keys.length)];
    if (key === undefined) return;
    const inner = holder[key];
    if (typeof inner === "object" && inner !== null && below(4) > 0)
      holder = inner as Record<string, unknown>;
    else {
      holder[key] = wrong[below(wrong.length)];
      return;
    }
  }
}
