/**
 * A copy runs beside the installation that it was made of. What its database has to send was or will be sent
 * by the original, so a copy sends no mail, calls no webhooks and delivers nothing that was scheduled until
 * its mark is deleted.
 */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

const MARK = "copy";

export function isCopy(dataDir: string): boolean {
  return existsSync(path.join(dataDir, MARK));
}

/** `origin`: such as "restored from the backup 20261128T083000Z". */
export function markCopy(dataDir: string, origin: string): void {
  writeFileSync(
    path.join(dataDir, MARK),
    `This is a copy, ${origin}.\nIts server sends no mail, calls no webhooks and delivers no scheduled messages, and no backups are made of\nit. If it is to take the place of the original, delete this file and restart the server: what waits is sent\nthen.\n`,
    { mode: 0o600 },
  );
}
