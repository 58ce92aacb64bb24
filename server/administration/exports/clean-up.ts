/** What becomes of files that are too old, and of exports that a crash left behind. */
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { removeFile } from "./actions.ts";
import { announceExports } from "./events.ts";
import { deleteMadeFile, leftoverLimits, leftRun } from "./leftovers.ts";
import { exportRuns } from "./store.ts";

export const cleanUpExports = definePeriodicJob({
  name: "clean_up_exports",
  schedule: "37 * * * *",
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        for (const { organizationId, id, what } of await exportRuns.listLeftovers(tx, leftoverLimits)) {
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
  async run(
    services: Pick<Services, "database" | "files" | "organizations">,
    { organizationId, exportId, isStuck },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    const row = await runContentChange(state, async (tx) => {
      if (isStuck) {
        if (await exportRuns.end(tx, state.organizationId, exportId, leftRun)) await announceExports(tx);
      } else {
        await removeFile(tx, exportId);
      }
      return exportRuns.find(tx, state.organizationId, exportId);
    });
    if (row && row.status !== "pending")
      await deleteMadeFile(services, exportRuns, state.organizationId, row);
  },
});
