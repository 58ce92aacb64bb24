import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

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
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const title = titleOfChild(pid, postmaster);
    if (title?.startsWith("postgres: checkpointer")) found.checkpointer = Number(pid);
    if (title?.startsWith("postgres: parley parley")) found.backends.push(Number(pid));
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

/** What a process calls itself, if it is a child of that parent. */
function titleOfChild(pid: string, parent: number): string | undefined {
  try {
    // The name in parentheses may hold anything; the parent's id is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) !== parent) return undefined;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
