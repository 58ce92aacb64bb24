/** The tables of docs/commands.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Outcome } from "./walk.ts";

const PAGE = fileURLToPath(new URL("../../docs/commands.md", import.meta.url));

/** How each command ended, by the state of the installation. */
export type Found = Record<string, Record<string, Outcome>>;

/** Compares the table whose columns are these states. With `WRITE_COMMANDS` it is written. */
export function expectTable(names: readonly string[], found: Found): void {
  const states = Object.keys(found);
  const head = `| | ${states.join(" | ")} |`;
  const rows = names.map(
    (name) => `| \`${name}\` | ${states.map((state) => cell(found[state]?.[name])).join(" | ")} |`,
  );
  const table = [head, `|${" --- |".repeat(states.length + 1)}`, ...rows].join("\n");
  const page = readFileSync(PAGE, "utf8");
  const tables = page.match(/^\|.*\|$(?:\n^\|.*\|$)*/gm) ?? [];
  const former = tables.find((each) => each.startsWith(`| | ${states[0]} |`)) ?? head;
  const written = page.replace(former, () => table);
  if (process.env.WRITE_COMMANDS) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
}

function cell(outcome: Outcome = ""): string {
  return outcome.replace(/P\d{3}/, (number) => `[${number}](faults.md#${number.toLowerCase()})`);
}
