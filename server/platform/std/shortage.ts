/** A resource of the machine or of the database server that is used up. */
export type Shortage = "disk" | "memory" | "connections";

const shortages: Readonly<Record<string, Shortage>> = {
  // `disk_full`, `out_of_memory` and `too_many_connections` of PostgreSQL.
  "53100": "disk",
  "53200": "memory",
  "53300": "connections",
  // The file system: no room, no room for this user, and a disk that was mounted for reading only.
  ENOSPC: "disk",
  EDQUOT: "disk",
  EROFS: "disk",
};

/**
 * Why something failed, if it was for want of room, memory or connections. Nothing was changed then, and the
 * same may succeed when there is more.
 */
export function shortageOf(error: unknown): Shortage | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const found = shortages[String((each as { code?: unknown }).code)];
    if (found) return found;
  }
  return undefined;
}
