import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { isQuick, isSaving } from "./options.ts";

export type Row = Record<string, string | number | undefined>;

/** Prints rows as a table; columns are the keys of the first. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => write(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] as string).length)));
  console.log(`\n${title}`);
  for (const line of cells) {
    console.log(line.map((cell, index) => cell.padEnd(widths[index] as number)).join("  "));
  }
}

function write(value: string | number | undefined): string {
  if (typeof value !== "number") return value ?? "-";
  return Number.isInteger(value) || Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString("en")
    : value.toFixed(2);
}

/** Prints a figure with its target. */
export function printGoal(what: string, value: number, goal: { least: number } | { most: number }): void {
  const isReached = "least" in goal ? value >= goal.least : value <= goal.most;
  const bound = "least" in goal ? `at least ${write(goal.least)}` : `at most ${write(goal.most)}`;
  console.log(`${what}: ${write(value)} (${bound}: ${isReached ? "reached" : "not reached"})`);
}

/** Saves a scenario's figures, so that the next run can be compared with them. Only with `--save`. */
export function save(name: string, figures: object): void {
  if (isQuick) console.log("\nA quick run: the figures mean nothing.");
  if (!isSaving) return;
  mkdirSync("bench/results", { recursive: true });
  const file = join("bench/results", `${name}.json`);
  const circumstances = {
    measuredAt: new Date().toISOString().slice(0, 10),
    node: process.version,
    processors: cpus().length,
  };
  writeFileSync(file, `${JSON.stringify({ ...circumstances, ...figures }, round, 2)}\n`);
  console.log(`\nsaved to ${file}`);
}

function round(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}

/** Warns when something else uses the machine: then the figures are unreliable. */
export function checkRest(): void {
  const [load = 0] = loadavg();
  if (load > 1 && !isQuick) console.warn(`Something else keeps this machine busy (load ${load.toFixed(1)}).`);
}

/**
 * Appends of 8 kB with fdatasync per second, in the temporary directory. This bounds the rate of commits
 * here.
 */
export function measureFsync(): number {
  const dir = mkdtempSync(join(tmpdir(), "parley-fsync-"));
  const file = openSync(join(dir, "file"), "w");
  const block = Buffer.alloc(8192, 1);
  let count = 0;
  const endsAt = performance.now() + 1000;
  while (performance.now() < endsAt) {
    writeSync(file, block);
    fdatasyncSync(file);
    count++;
  }
  closeSync(file);
  rmSync(dir, { recursive: true });
  return count;
}
