/** The job that makes an export: `run.ts` says how. */
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import type { ModuleExports } from "../../module-exports.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { DEFAULT_ATTEMPTS, defineJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { announceExports, mayExport } from "./events.ts";
import { type FileKind, makeFile, type RunServices } from "./run.ts";
import { type Export, exportRuns } from "./store.ts";
import { writeExport } from "./write.ts";

/** What is enqueued. The job itself also has what the modules give. */
export const exportToMake = {
  name: "make_export",
  payload: Type.Object({ organizationId: Type.Integer(), exportId: Type.Integer() }),
  attempts: DEFAULT_ATTEMPTS,
};

export const makeExport = (given: () => readonly ModuleExports[]) =>
  defineJob({
    ...exportToMake,
    async run(
      services: RunServices & Pick<Services, "organizations">,
      { organizationId, exportId },
      { signal },
    ) {
      const state = await services.organizations.byId(organizationId as OrganizationId);
      await makeFile(exportKind(given()), services, state, exportId, signal);
    },
  });

const exportKind = (given: readonly ModuleExports[]): FileKind<Export> => ({
  store: exportRuns,
  folder: "exports",
  failed: "an export failed",
  refusalOf,
  announce: (tx) => announceExports(tx),
  async write(state, row, path, request) {
    const reader = state.get(users).byId.get(row.actingUserId);
    await writeExport(state, path, { type: row.type, reader, given, ...request });
  },
});

function refusalOf(state: OrganizationState, { actingUserId }: Export): string | undefined {
  if (!state.get(organization).isActive) return "The organization was deactivated.";
  if (mayExport(state.get(users).byId.get(actingUserId))) return undefined;
  return "The person who asked for it is no longer an administrator.";
}
