/**
 * The ledger of costs: what each verb costs as far as it is exact, and why verbs became dearer. It is a file
 * with a line for each verb, so that a change of it reads well. docs/costs.md is made from it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const LEDGER = "bench/results/ledger.json";

export interface EventCost {
  who: string;
  /** The type, and the op if there is one. */
  event: string;
  /** The length of its JSON, with each number as one digit. */
  bytes: number;
}

export interface VerbCosts {
  /** Names of the statements in their order; `(unnamed)`: planned at each call. */
  statements: string[];
  /** The longest chain of statements that wait for each other. */
  roundTrips: number;
  rowsReceived: number;
  /** Rows inserted, updated and deleted, by table. */
  rowsWritten: Record<string, number>;
  walRecords: number;
  walBytes: number;
  events: EventCost[];
}

/** Why verbs became dearer, the newest last. */
export interface Reason {
  changes: string[];
  why: string;
}

export interface Ledger {
  verbs: Record<string, VerbCosts>;
  reasons: Reason[];
}

const file = fileURLToPath(new URL(`../../${LEDGER}`, import.meta.url));

export function readLedger(): Ledger {
  return JSON.parse(readFileSync(file, "utf8")) as Ledger;
}

export function writeLedger(ledger: Ledger): void {
  writeFileSync(file, textOf(ledger));
}

export function textOf({ verbs, reasons }: Ledger): string {
  const lines = Object.entries(verbs).map(
    ([name, costs]) => `    ${JSON.stringify(name)}: ${JSON.stringify(costs)}`,
  );
  const told = reasons.map((reason) => `\n    ${JSON.stringify(reason)}`).join(",");
  return `{\n  "verbs": {\n${lines.join(",\n")}\n  },\n  "reasons": [${told}${told && "\n  "}]\n}\n`;
}
