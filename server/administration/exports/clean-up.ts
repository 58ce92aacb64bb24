/** What becomes of files that are too old, and of exports that a crash left behind. */
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import { EXPORT_FILE_DAYS } from "../../../api/limits.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { removeFile } from "./actions.ts";
import { announceExports } from "./events.ts";
import { exportRuns } from "./store.ts";

/** Longer than the library of jobs waits before it frees the jobs of a node that is gone. */
const STUCK_HOURS = 6;
const AT_ONCE = 1000;

export const cleanUpExports = definePeriodicJob({
  name: "clean_up_exports",
  schedule: "37 * * * *",
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        const limits = { fileDays: EXPORT_FILE_DAYS, stuckHours: STUCK_HOURS, limit: AT_ONCE };
        for (const { organizationId, id, what } of await exportRuns.listLeftovers(tx, limits)) {
          const payload = { organizationId, exportId: id, isStuck: what === "stuck" };
          await enqueue(tx, cleanUpExport, payload, { key: `${organizationId}:${id}` });
        }
      },
      { lane: "background" },
    );
  },
});

export const cleanUpExport = defineJob({
  name: "clean_up_export",
  payload: Type.Object({
    organizationId: Type.Integer(),
    exportId: Type.Integer(),
    isStuck: Type.Boolean(),
  }),
  async run(services: Pick<Services, "files" | "organizations">, { organizationId, exportId, isStuck }) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    const row = await runContentChange(state, async (tx) => {
      if (isStuck) {
        const reason = "The server stopped working on it.";
        if (await exportRuns.end(tx, state.organizationId, exportId, { status: "failed", reason })) {
          await announceExports(tx);
        }
      } else {
        await removeFile(tx, exportId);
      }
      return exportRuns.find(tx, state.organizationId, exportId);
    });
    if (row && row.status !== "pending") await deleteFile(services, state, exportId, row.fileKey);
  },
});

/** Deletes the file of an export that is marked as deleted or failed. */
export async function deleteFile(
  { files }: Pick<Services, "files">,
  { database, organizationId }: OrganizationState,
  exportId: number,
  fileKey: string | null,
): Promise<void> {
  if (fileKey === null) return;
  await files.delete(fileKey);
  await exportRuns.clearFileKey(database, organizationId, exportId, fileKey);
}
