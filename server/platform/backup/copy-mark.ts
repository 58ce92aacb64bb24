/**
 * A copy runs beside the installation that it was restored from. What its database has to send was or will be
 * sent by the original, so a copy sends no mail and calls no webhooks until its mark is deleted.
 */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

const MARK = "copy";

export function isCopy(dataDir: string): boolean {
  return existsSync(path.join(dataDir, MARK));
}

export function markCopy(dataDir: string, backup: string): void {
  writeFileSync(
    path.join(dataDir, MARK),
    `This is a copy, restored from the backup ${backup}. Its server sends no mail and calls no webhooks, and no\nbackups are made of it. If it is to take the place of the original, delete this file and restart the server:\nwhat waits is sent then.\n`,
    { mode: 0o600 },
  );
}
