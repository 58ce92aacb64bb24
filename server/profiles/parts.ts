import type { ModuleParts } from "../module-parts.ts";
import { profileExports } from "./exports.ts";
import { presenceSerializer } from "./presence/events.ts";
import { PresenceExchange } from "./presence/exchange.ts";
import { presenceRoutes } from "./presence/handlers.ts";
import { presences } from "./presence/presences.ts";
import { presenceSection } from "./presence/snapshot.ts";
import { profileFieldRoutes } from "./profile-fields/handlers.ts";
import { profileValues } from "./profile-fields/kept-values.ts";
import { profileFields } from "./profile-fields/profile-fields.ts";
import { profileFieldSection } from "./profile-fields/snapshot.ts";
import { statusesOfNewlyKnown, statusOfChangedAccounts } from "./user-status/changed-accounts.ts";
import { userStatusRoutes } from "./user-status/handlers.ts";
import { userStatusSection } from "./user-status/snapshot.ts";
import { userStatuses } from "./user-status/user-statuses.ts";

export const profilesModule: ModuleParts = {
  exports: profileExports,
  projections: () => [presences, userStatuses, profileFields, profileValues],
  beforeCommitHooks: () => [statusOfChangedAccounts],
  lastHooks: [statusesOfNewlyKnown],
  queues: () => ({ serializers: [presenceSerializer] }),
  registerSections: () => [profileFieldSection, presenceSection, userStatusSection],
  routes: (services) => [...presenceRoutes, ...userStatusRoutes(services), ...profileFieldRoutes(services)],
  followers: (services, report) => [new PresenceExchange(services, report)],
};
