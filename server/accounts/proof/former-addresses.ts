/**
 * Addresses that people had until a few days ago. Mails about how an account is entered go there too:
 * somebody else may have changed the address.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { deleteFormerAddresses, deleteSurplusAddresses, insertFormerAddress } from "./store.ts";

export const FORMER_ADDRESS_DAYS = 7;
/**
 * Each person has so many, the first ones: somebody who has taken an account over must not push out the
 * address of its owner by more changes.
 */
const MAX_ADDRESSES = 5;

export const keptAddresses: BeforeCommitHook = {
  projections: [users.name],
  async run(tx, patches) {
    const { byId } = tx.state.get(users);
    for (const user of patchesOf(patches, users).flatMap(({ put }) => put)) {
      const before = byId.get(user.id);
      if (!before || before.botType !== null || before.email === user.email) continue;
      await keep(tx, tx.state.organizationId, { userId: user.id, address: before.email });
    }
  },
};

async function keep(
  tx: Queryable,
  organizationId: OrganizationId,
  former: { userId: UserId; address: string },
): Promise<void> {
  await insertFormerAddress(tx, organizationId, { ...former, days: FORMER_ADDRESS_DAYS });
  await deleteSurplusAddresses(tx, organizationId, former.userId, MAX_ADDRESSES);
}

export const forgetFormerAddresses = definePeriodicJob({
  name: "forget_former_addresses",
  schedule: "23 * * * *",
  async run({ database }: { database: Database }) {
    await deleteFormerAddresses(database);
  },
});
