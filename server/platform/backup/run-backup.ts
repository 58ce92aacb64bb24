import { fork } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import { fileURLToPath } from "node:url";
import type { BackupReport, BackupTask } from "./backup-process.ts";
import { BackupBusy, BackupError } from "./target.ts";

/** Requests go first. */
const NICENESS = 10;

/**
 * Makes a backup in a process of its own. Rejects as `makeBackup` does. The signal kills the process, which
 * leaves the target as it was.
 */
export async function runBackup(task: BackupTask, signal: AbortSignal): Promise<void> {
  const child = fork(fileURLToPath(new URL("./backup-process.js", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  let report: BackupReport | undefined;
  // Sending to a process that has ended is an error. That it ended is said below.
  child.on("error", () => {});
  child.on("message", (message: BackupReport) => {
    report = message;
    if (!("ready" in message)) {
      child.disconnect();
      return;
    }
    lowerPriority(child.pid);
    child.send(task);
  });
  const [code, killedBy] = await once(child, "exit");
  signal.removeEventListener("abort", kill);
  if (report && "made" in report) return;
  if (!report || !("failed" in report))
    throw new BackupError(
      "backup-broken-off",
      `The process that made the backup ended with ${killedBy ?? code}.`,
    );
  const { fault, failed } = report;
  if (fault === undefined) throw new Error(failed);
  throw fault === "backup-busy" ? new BackupBusy(fault, failed) : new BackupError(fault, failed);
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, NICENESS);
  } catch {
    // It has ended, or the system forbids it. Then the backup competes with requests.
  }
}
