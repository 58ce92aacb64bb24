import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../tools/check-sources.js", import.meta.url));

/** What tools/check-sources.js says of a checkout that has these files alone, by path. */
export function checkSources(files: Record<string, string>): { problems: string[]; status: number | null } {
  const root = mkdtempSync(path.join(os.tmpdir(), "parley-sources-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: "utf8" });
  return { problems: stderr.split("\n").filter((line) => line !== ""), status };
}
