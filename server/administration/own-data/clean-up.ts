/** What becomes of files that are too old, of copies that a crash left behind, and of those of the erased. */
import { Type } from "typebox";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { EXPORT_FILE_DAYS } from "../../../api/limits.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { deleteOldCopies, endCopiesOf, findNewestCopy, listCopiesWithFile, ownCopies } from "./copy-store.ts";

/** Longer than the library of jobs waits before it frees the jobs of a node that is gone. */
const STUCK_HOURS = 6;
const AT_ONCE = 1000;

export const cleanUpOwnData = definePeriodicJob({
  name: "clean_up_own_data",
  schedule: "47 * * * *",
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        const limits = { fileDays: EXPORT_FILE_DAYS, stuckHours: STUCK_HOURS, limit: AT_ONCE };
        for (const { organizationId, id: copyId, what } of await ownCopies.listLeftovers(tx, limits)) {
          const payload = { organizationId, copyId, isStuck: what === "stuck" };
          await enqueue(tx, cleanUpOwnCopy, payload, { key: `${organizationId}:${copyId}` });
        }
        await deleteOldCopies(tx, { days: EXPORT_FILE_DAYS, limit: AT_ONCE });
      },
      { lane: "background" },
    );
  },
});

export const cleanUpOwnCopy = defineJob({
  name: "clean_up_own_copy",
  payload: Type.Object({
    organizationId: Type.Integer(),
    copyId: Type.Integer(),
    isStuck: Type.Boolean(),
  }),
  async run(services: Pick<Services, "database" | "files">, { organizationId: id, copyId, isStuck }) {
    const { database } = services;
    const organizationId = id as OrganizationId;
    if (isStuck) {
      const reason = "The server stopped working on it.";
      await ownCopies.end(database, organizationId, copyId, { status: "failed", reason });
    } else {
      await ownCopies.markDeleted(database, organizationId, copyId);
    }
    const row = await ownCopies.find(database, organizationId, copyId);
    if (row && row.status !== "pending") await deleteCopyFile(services, organizationId, row);
  },
});

/** Deletes the file of a copy that is marked as deleted or failed. */
export async function deleteCopyFile(
  { database, files }: Pick<Services, "database" | "files">,
  organizationId: OrganizationId,
  { id, fileKey }: { id: number; fileKey: string | null },
): Promise<void> {
  if (fileKey === null) return;
  await files.delete(fileKey);
  await ownCopies.clearFileKey(database, organizationId, id, fileKey);
}

/**
 * For the erasure of a person. A run that still writes finds its copy ended. Its key stays for the clean-up,
 * which deletes what the run may store yet.
 */
export async function eraseCopiesOf(
  services: Pick<Services, "database" | "files">,
  { organizationId }: OrganizationState,
  userId: UserId,
): Promise<void> {
  const { database } = services;
  const newest = await findNewestCopy(database, organizationId, userId);
  await endCopiesOf(database, organizationId, userId);
  for (const row of await listCopiesWithFile(database, organizationId, userId))
    if (newest?.status !== "pending" || row.id !== newest.id)
      await deleteCopyFile(services, organizationId, row);
}
