import type { Queryable } from "../platform/db/database.ts";
import { hasCustomEmoji } from "./emoji/store.ts";
import { hasUploads } from "./uploads/store.ts";

/** Whether rows name files that are kept until somebody deletes them, so that their place can't be empty. */
export async function namesFiles(db: Queryable): Promise<boolean> {
  return (await hasUploads(db)) || (await hasCustomEmoji(db));
}
