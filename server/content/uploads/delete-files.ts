import type { OrganizationId } from "../../../api/ids.ts";
import type { Services } from "../../services.ts";
import { deleteFileToDelete } from "./store.ts";

/** Deletes files that are marked as those to delete. */
export async function deleteFilesNow(
  { database, files }: Pick<Services, "database" | "files">,
  organizationId: OrganizationId,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await files.delete(key);
    await deleteFileToDelete(database, organizationId, key);
  }
}
