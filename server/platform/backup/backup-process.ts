/**
 * The program of the process that makes a scheduled backup. Compression and checksums take a processor for
 * minutes, which belongs to requests. The process gets what it needs from its parent, and ends with it.
 */

import type { Config } from "../../config.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { openFileStorage } from "../file-storage/open-storage.ts";
import type { Connection } from "../postgres/ready.ts";
import { failureFacts } from "../std/failure-facts.ts";
import { makeBackup } from "./backup.ts";
import type { KeepRule } from "./keep-rule.ts";
import type { StoredSecret } from "./manifest.ts";
import { openTarget } from "./open-target.ts";
import { BackupError } from "./target.ts";
import type { TargetPlace } from "./target-place.ts";

export interface BackupTask {
  config: Pick<Config, "dataDir" | "files" | "s3">;
  target: TargetPlace;
  connection: Connection;
  secret: StoredSecret;
  keep: KeepRule | undefined;
}

/** `fault`: that of the error that the parent throws. undefined: it is none for a person. */
export type BackupReport =
  | { ready: true }
  | { made: true }
  | { failed: string; fault: FaultName | undefined };

process.once("message", (task: BackupTask) => void run(task));
process.once("disconnect", () => process.exit(1));
// A terminal sends Ctrl+C and its end to the whole process group, but the parent decides what follows.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
report({ ready: true });

async function run({ config, target, connection, secret, keep }: BackupTask): Promise<void> {
  try {
    const files = openFileStorage(config);
    await makeBackup({ connection, files, secret }, openTarget(target, config), keep);
    report({ made: true });
  } catch (error) {
    const fault = error instanceof BackupError ? error.fault : undefined;
    report({ failed: `${failureFacts(error).message}`, fault });
  }
}

function report(message: BackupReport): void {
  process.send?.(message);
}
