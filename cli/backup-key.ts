import { readBackupKey } from "../server/config.ts";

/** The key of a target that a command reads. Such a command needs no other setting of the server. */
export function keyOf(environment: NodeJS.ProcessEnv): string | undefined {
  return readBackupKey(environment.PARLEY_BACKUP_KEY?.trim() || undefined);
}
