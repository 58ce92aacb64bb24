// Collects what `caused-events.ts` sees in all processes of a run. At the end of a run of all tests it fails
// if an endpoint declares an event that no test saw it cause.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints } from "../../api/index.ts";

export function setup(): () => void {
  const directory = mkdtempSync(join(tmpdir(), "parley-caused-events-"));
  const file = join(directory, "events.txt");
  process.env.PARLEY_CAUSED_EVENTS = file;
  return () => {
    const seen = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    rmSync(directory, { recursive: true });
    const unseen = unseenEvents(seen);
    if (isWholeRun(process.argv) && unseen.length > 0) {
      throw new Error(`No test saw these events, which the endpoints' emits declare: ${unseen.join(", ")}`);
    }
  };
}

/** What endpoints declare and is not among these lines: `endpoint event`. */
export function unseenEvents(seen: readonly string[]): string[] {
  const all = new Set(seen);
  const declared = endpoints.flatMap(({ name, emits }) => emits.map((event) => `${name} ${event}`));
  return declared.filter((line) => !all.has(line));
}

/** A part of the tests sees a part of the events. */
export function isWholeRun(argv: readonly string[]): boolean {
  const words = argv.slice(2).filter((word) => word !== "--");
  return words.length === 1 && words[0] === "run";
}
