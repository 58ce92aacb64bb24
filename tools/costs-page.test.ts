import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makePage } from "./costs-page.js";

const star = {
  statements: ["begin", "select messages", "select messages", "select users (unnamed)", "commit"],
  roundTrips: 3,
  rowsReceived: 2,
  rowsWritten: { stars: 1, events: 2 },
  walRecords: 4,
  walBytes: 1000,
  events: [
    { who: "caller", event: "flags/add", bytes: 100 },
    { who: "other", event: "message", bytes: 50 },
  ],
};
const presence = {
  statements: [],
  roundTrips: 0,
  rowsReceived: 0,
  rowsWritten: {},
  walRecords: 0,
  walBytes: 0,
  events: [],
};
const times = {
  measuredAt: "2026-01-01",
  node: "v20.0.0",
  processors: 2,
  bareMicroseconds: 40.4,
  verbs: { star: { node: 12.34, database: 1.25 } },
};

test("the page of costs is what the ledger and the processor times say", () => {
  const program = fileURLToPath(new URL("costs.js", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program, "--check"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("each verb has a row of figures, and what they are made of", () => {
  const page = makePage({ verbs: { star, presence }, reasons: [] }, times);
  expect(page).toContain("| star | 5 | 1 | 3 | 2 | 3 | 4 | 1000 | 2 | 150 |\n");
  expect(page).toContain("| presence | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n");
  expect(page.replace(/\s+/g, " ")).toContain(
    "- **star:** `begin`; `select messages` 2 ×; `select users` (unnamed); `commit`. Rows written: 1 in `stars`, " +
      "2 in `events`. Events: `flags/add` to the caller (100 B), `message` to the other (50 B). " +
      "- **presence:** no statement.",
  );
});

test("processor times stand with the machine and the bare answer", () => {
  const page = makePage({ verbs: { star }, reasons: [] }, times);
  expect(page).toContain("A bare answer took 40 µs (2026-01-01, 2 processors, Node v20.0.0).");
  expect(page).toContain("| star | 12 | 1.3 |\n");
});

test("the reasons are listed with what became dearer", () => {
  const reasons = [{ why: "Stars are counted.", changes: ["star: statements 4 → 5", "star: events 1 → 2"] }];
  const page = makePage({ verbs: { star }, reasons }, times);
  expect(page).toContain("- Stars are counted. (star: statements 4 → 5; star: events 1 → 2)\n");
  expect(makePage({ verbs: { star }, reasons: [] }, times)).toContain("No verb has become dearer so far.");
});

test("no line of prose is wider than a page may be", () => {
  const wide = { ...star, statements: Array.from({ length: 40 }, (_, at) => `select table_${at} (unnamed)`) };
  const lines = makePage({ verbs: { star: wide }, reasons: [] }, times).split("\n");
  expect(lines.filter((line) => line.length > 110 && !line.startsWith("|"))).toEqual([]);
});
