import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "./start-error.ts";

/**
 * Whether the process still runs. `kill(pid, 0)` alone also succeeds for a zombie, which its parent has not
 * reaped yet. After a crash in a container a zombie can stay for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
  }
  if (process.platform !== "linux") return true;
  try {
    // The program's name is in parentheses and may contain spaces and parentheses. The state follows the last
    // one.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

/** Waits until the process has ended; false if it still runs after `timeoutMs`. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() >= deadline) return false;
    await sleep(10);
  }
  return true;
}

/** Whether the process is a PostgreSQL server on this cluster directory (a real path). */
export function isServerOf(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform !== "linux") {
      const command = execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
      return command.includes("postgres") && command.includes(clusterDir);
    }
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!args[0]?.endsWith("postgres")) return false;
    return args.includes(clusterDir) || readlinkSync(`/proc/${pid}/cwd`) === clusterDir;
  } catch {
    return false;
  }
}
