import type { OrganizationId } from "../../../api/ids.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import type { Services } from "../../services.ts";
import { endSessions } from "./end.ts";
import { listExpiredSessions, lockExpiredSessions } from "./store.ts";

const BATCH = 1000;

/**
 * Ends the sessions that nobody has used for long. Those that are too old work no longer in any case. What a
 * run leaves, the next one does.
 */
export const forgetExpiredSessions = definePeriodicJob({
  name: "forget_expired_sessions",
  schedule: "41 * * * *",
  async run({ database, organizations }: Pick<Services, "database" | "organizations">) {
    const expired = await listExpiredSessions(database, BATCH);
    const byOrganization = new Map<OrganizationId, number[]>();
    for (const { organizationId, id } of expired) pushTo(byOrganization, organizationId, id);
    for (const [organizationId, ids] of byOrganization) {
      const state = await organizations.byId(organizationId);
      await runStateChange(state, async (tx) =>
        endSessions(tx, await lockExpiredSessions(tx, organizationId, ids)),
      );
    }
  },
});
