import { expect, test } from "vitest";
import { compare, explain, rewrite } from "./compare.ts";
import { type Ledger, readLedger, textOf, type VerbCosts } from "./ledger.ts";

const star: VerbCosts = {
  statements: ["begin", "select messages", "insert stars", "commit"],
  roundTrips: 3,
  rowsReceived: 1,
  rowsWritten: { stars: 1 },
  walRecords: 4,
  walBytes: 1000,
  events: [{ who: "caller", event: "flags/add", bytes: 100 }],
};
const ledger: Ledger = { verbs: { star, typing: star }, reasons: [] };
const withStar = (more: Partial<VerbCosts>): Ledger["verbs"] => ({
  star: { ...star, ...more },
  typing: star,
});
const changes = (more: Partial<VerbCosts>) =>
  compare(ledger.verbs, withStar(more)).map(
    ({ verb, isDearer, change }) => `${verb}, ${isDearer ? "dearer" : "cheaper"}: ${change}`,
  );

test("a verb that costs the same has no difference, in whatever order its statements came", () => {
  expect(changes({})).toEqual([]);
  expect(changes({ statements: [...star.statements].reverse() })).toEqual([]);
});

test("a statement more is seen, with its name", () => {
  expect(changes({ statements: ["select users (unnamed)", ...star.statements] })).toEqual([
    "star, dearer: statements 4 → 5",
    'star, dearer: statement "select users (unnamed)" 0 → 1',
  ]);
});

test("a statement that lost its name is seen, though there are as many", () => {
  expect(changes({ statements: ["begin", "select messages (unnamed)", "insert stars", "commit"] })).toEqual([
    'star, cheaper: statement "select messages" 1 → 0',
    'star, dearer: statement "select messages (unnamed)" 0 → 1',
  ]);
});

test("another statement in the place of one is seen, and is not dearer", () => {
  expect(changes({ statements: ["begin", "select messages", "insert flags", "commit"] })).toEqual([
    'star, cheaper: statement "insert stars" 1 → 0',
    'star, cheaper: statement "insert flags" 0 → 1',
  ]);
});

test("round trips, rows, records of the WAL and events are compared exactly", () => {
  expect(changes({ roundTrips: 2 })).toEqual(["star, cheaper: round trips in sequence 3 → 2"]);
  expect(changes({ rowsReceived: 2 })).toEqual(["star, dearer: rows received 1 → 2"]);
  expect(changes({ rowsWritten: { stars: 1, jobs: 2 } })).toEqual([
    "star, dearer: rows written to jobs 0 → 2",
  ]);
  expect(changes({ walRecords: 5 })).toEqual(["star, dearer: records of the WAL 4 → 5"]);
  expect(changes({ events: [{ who: "caller", event: "flags/add", bytes: 101 }] })).toEqual([
    "star, dearer: bytes of the flags/add events of the caller 100 → 101",
  ]);
  expect(changes({ events: [...star.events, { who: "other", event: "message", bytes: 9 }] })).toEqual([
    "star, dearer: events 1 → 2",
    "star, dearer: message events of the other 0 → 1",
    "star, dearer: bytes of the message events of the other 0 → 9",
  ]);
});

test("the bytes of the WAL may differ by a few digits", () => {
  expect(changes({ walBytes: 1040 })).toEqual([]);
  expect(changes({ walBytes: 1100 })).toEqual(["star, dearer: bytes of the WAL 1000 → 1100"]);
  expect(changes({ walBytes: 900 })).toEqual(["star, cheaper: bytes of the WAL 1000 → 900"]);
});

test("a verb that is new, or measured no more, is a difference", () => {
  expect(compare(ledger.verbs, { star, join: star }).map(({ verb, change }) => `${verb} ${change}`)).toEqual([
    "typing is no longer measured",
    "join is new",
  ]);
});

test("what became dearer is told with the command that writes the ledger again", () => {
  expect(explain(compare(ledger.verbs, withStar({ roundTrips: 4 })))).toBe(
    [
      "Verbs no longer cost what bench/results/ledger.json says:",
      "  star is dearer: round trips in sequence 3 → 4",
      "If that is meant, write the ledger again, and commit it with the change that caused it:",
      '  node tools/costs.js --write "why it is worth that"',
    ].join("\n"),
  );
  expect(explain([])).toBe("");
});

test("a verb becomes dearer in the ledger only with a reason, which is kept", () => {
  const measured = withStar({ roundTrips: 4 });
  expect(() => rewrite(ledger, measured, "")).toThrow("star is dearer");
  expect(rewrite(ledger, measured, "Stars are counted.")).toEqual({
    verbs: measured,
    reasons: [{ why: "Stars are counted.", changes: ["star: round trips in sequence 3 → 4"] }],
  });
});

test("a verb becomes cheaper without a reason, and a reason that is not needed is not kept", () => {
  const measured = withStar({ roundTrips: 2 });
  expect(rewrite(ledger, measured, "")).toEqual({ verbs: measured, reasons: [] });
  expect(rewrite(ledger, measured, "No need.").reasons).toEqual([]);
});

test("a verb that costs the same stays as it was written", () => {
  const shuffled = withStar({ statements: [...star.statements].reverse() });
  expect(rewrite(ledger, shuffled, "")).toEqual(ledger);
});

test("the file has a line for each verb and each reason, as it was written last", () => {
  const reasons = [{ why: "Stars are counted.", changes: ["star: statements 3 → 4"] }];
  const text = textOf({ ...ledger, reasons });
  expect(text.split("\n")).toHaveLength(3 + 2 + 2 + 3);
  expect(JSON.parse(text)).toEqual({ ...ledger, reasons });
  expect(textOf(readLedger())).not.toBe("");
});
