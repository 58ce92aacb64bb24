/** What the clean-ups of exports and of copies of people's own data have in common. */
import type { OrganizationId } from "../../../api/ids.ts";
import { EXPORT_FILE_DAYS } from "../../../api/limits.ts";
import type { Services } from "../../services.ts";
import type { MadeFile, RunStore } from "./run-store.ts";

/**
 * What a clean-up looks at, and how many files at once. A run counts as left for longer than the library of
 * jobs waits before it frees the jobs of a node that is gone.
 */
export const leftoverLimits = { fileDays: EXPORT_FILE_DAYS, stuckHours: 6, limit: 1000 };

/** How a run ends that was left. */
export const leftRun = { status: "failed", reason: "The server stopped working on it." } as const;

/** Deletes a file that is marked as deleted or failed. */
export async function deleteMadeFile<Row extends MadeFile>(
  { database, files }: Pick<Services, "database" | "files">,
  store: RunStore<Row>,
  organizationId: OrganizationId,
  { id, fileKey }: Pick<MadeFile, "id" | "fileKey">,
): Promise<void> {
  if (fileKey === null) return;
  await files.delete(fileKey);
  await store.clearFileKey(database, organizationId, id, fileKey);
}
