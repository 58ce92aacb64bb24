/**
 * Notices that a data directory was copied by hand. The mark in it names its own file, of which a copy has
 * another one, and where it was. So a directory that was renamed is no copy, nor is one that was put back to
 * where it was from a backup of files.
 */
import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isCopy, markCopy } from "./copy-mark.ts";

const MARK = "place";

interface Place {
  file: string;
  machine: string;
  directory: string;
}

/**
 * Marks the data directory as a copy if its files were copied to another directory or another machine since
 * the last start. Returns a sentence about it then. Call it before anything
 * of the installation is archived or sent.
 */
export function noticeCopy(dataDir: string): string | undefined {
  const last = readPlace(dataDir);
  if (last === undefined || isCopy(dataDir)) return undefined;
  const here = placeOf(dataDir);
  const isMoved = last.machine !== here.machine || last.directory !== here.directory;
  if (last.file === here.file || !isMoved) return undefined;
  const from = `${last.directory}${last.machine === here.machine ? "" : " on another machine"}`;
  markCopy(dataDir, `made of ${from}`);
  return `${dataDir} is a copy of ${from}. It sends no mail, calls no webhooks and delivers no scheduled messages. If the original is gone for good, delete ${path.join(dataDir, "copy")} and restart.`;
}

/** Writes down where the data directory is. Call it when the server has it to itself. */
export function keepPlace(dataDir: string): void {
  const mark = path.join(dataDir, MARK);
  if (readPlace(dataDir) === undefined) writeFileSync(mark, "", { mode: 0o600 });
  // The first write still sees the time of birth as that of the last change. Written in place: another file
  // would be another copy.
  for (let round = 0; round < 2; round++) {
    const text = `${JSON.stringify(placeOf(dataDir))}\n`;
    if (readFileSync(mark, "utf8") === text) return;
    writeFileSync(mark, text);
  }
}

/** undefined: there is none, or it was not written to its end. */
function readPlace(dataDir: string): Place | undefined {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, MARK), "utf8")) as Place;
  } catch {
    return undefined;
  }
}

function placeOf(dataDir: string): Place {
  const { ino, birthtimeMs, ctimeMs } = statSync(path.join(dataDir, MARK));
  // A file system that knows no time of birth gives that of the last change in its place.
  const birth = birthtimeMs < ctimeMs ? Math.round(birthtimeMs) : 0;
  return {
    file: `${ino}/${birth}`,
    machine: machineId(),
    directory: realpathSync(dataDir),
  };
}

/** Empty in most containers, where the directory alone decides. */
function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
