import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { holdingLock, LockTaken } from "../../platform/db/held-lock.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { FaultError } from "../../platform/faults/fault-error.ts";

/** Another process imports to the host name, or takes such an import back. */
export class ImportUnderWay extends FaultError {
  constructor(message: string, options?: ErrorOptions) {
    super("import-running", message, options);
  }
}

/** Runs `work` while no other process writes or takes back an import to the host name. */
export async function withImportLock<T>(
  database: Database,
  host: string,
  work: () => Promise<T>,
): Promise<T> {
  const object = createHash("sha256").update(host).digest().readUInt32BE();
  try {
    return await holdingLock(database, { lockClass: lockClasses.imports, object, waitMs: 0 }, work);
  } catch (error) {
    if (!(error instanceof LockTaken)) throw error;
    throw new ImportUnderWay(`An import to ${host} is running already.`);
  }
}
