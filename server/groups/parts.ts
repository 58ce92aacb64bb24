import type { ModuleParts } from "../module-parts.ts";
import { accountsInSettings } from "./account-changes.ts";
import { deactivatedGroupClients } from "./audiences.ts";
import { automaticMembers } from "./automatic-members.ts";
import { groupSerializer } from "./event-serializer.ts";
import { groupExports } from "./exports.ts";
import { groups } from "./group.ts";
import { groupHistory } from "./group-history.ts";
import { groupRoutes } from "./handlers.ts";
import { recordedMemberships } from "./record-history.ts";
import { groupSection } from "./snapshot.ts";

import type { GroupUses } from "./uses.ts";

/** What the groups need of later modules. */
interface Later {
  groupUses: readonly GroupUses[];
}

export const groupsModule = (later: Later): ModuleParts => ({
  exports: groupExports,
  projections: () => [groups, groupHistory],
  beforeCommitHooks: () => [automaticMembers, recordedMemberships, accountsInSettings],
  queues: () => ({ audiences: [deactivatedGroupClients], serializers: [groupSerializer] }),
  registerSections: () => [groupSection],
  routes: (services) => [...groupRoutes(services, later.groupUses)],
});
