import type { TargetPlace } from "../../server/platform/backup/target-place.ts";
import { readBackupKey, readTargetS3 } from "../../server/setting-values.ts";

/** The target in a command's arguments. Commands that only read it need no other setting of the server. */
export function targetPlace(environment: NodeJS.ProcessEnv, place: string): TargetPlace {
  const variable = (name: string) => environment[name]?.trim() || undefined;
  const s3 = readTargetS3(place, variable, "The target");
  return { place, key: readBackupKey(variable("PARLEY_BACKUP_KEY")), s3 };
}
