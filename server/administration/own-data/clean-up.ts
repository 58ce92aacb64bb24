/** What becomes of files that are too old, of copies that a crash left behind, and of those of the erased. */
import { Type } from "typebox";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { deleteMadeFile, leftoverLimits, leftRun } from "../exports/leftovers.ts";
import { deleteOldCopies, endCopiesOf, findNewestCopy, listCopiesWithFile, ownCopies } from "./copy-store.ts";

export const cleanUpOwnData = definePeriodicJob({
  name: "clean_up_own_data",
  schedule: "47 * * * *",
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        for (const { organizationId, id: copyId, what } of await ownCopies.listLeftovers(
          tx,
          leftoverLimits,
        )) {
          const payload = { organizationId, copyId, isStuck: what === "stuck" };
          await enqueue(tx, cleanUpOwnCopy, payload, { key: `${organizationId}:${copyId}` });
        }
        await deleteOldCopies(tx, { days: leftoverLimits.fileDays, limit: leftoverLimits.limit });
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
      await ownCopies.end(database, organizationId, copyId, leftRun);
    } else {
      await ownCopies.markDeleted(database, organizationId, copyId);
    }
    const row = await ownCopies.find(database, organizationId, copyId);
    if (row && row.status !== "pending") await deleteMadeFile(services, ownCopies, organizationId, row);
  },
});

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
      await deleteMadeFile(services, ownCopies, organizationId, row);
}
