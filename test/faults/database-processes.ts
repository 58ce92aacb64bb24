import { readFileSync } from "node:fs";
import path from "node:path";
import { childrenOf } from "./children.ts";

export interface DatabaseProcesses {
  postmaster: number;
  checkpointer: number | undefined;
  /** The processes that serve connections of a server. */
  backends: number[];
}

/** The processes of the PostgreSQL in a data directory; undefined when it does not run. */
export function findDatabase(dataDir: string): DatabaseProcesses | undefined {
  const postmaster = readPostmasterId(dataDir);
  if (postmaster === undefined) return undefined;
  const found: DatabaseProcesses = { postmaster, checkpointer: undefined, backends: [] };
  for (const { pid, title } of childrenOf(postmaster)) {
    if (title.startsWith("postgres: checkpointer")) found.checkpointer = pid;
    if (title.startsWith("postgres: parley parley")) found.backends.push(pid);
  }
  return found;
}

function readPostmasterId(dataDir: string): number | undefined {
  try {
    const lines = readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return lines[7]?.trim() === "ready" && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
  } catch {
    return false;
  }
}
