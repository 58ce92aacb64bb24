import { updateOrganization } from "../../api/administration/organization.ts";
import { organizationPermissionList } from "../../api/administration/organization-permissions.ts";
import { organizationSettingList } from "../../api/administration/organization-settings.ts";
import type { ModuleExports } from "../module-exports.ts";
import type { ModuleParts } from "../module-parts.ts";
import { auditLogRoutes } from "./audit-log/handlers.ts";
import { domainRoutes } from "./domains/handlers.ts";
import { domainSection } from "./domains/snapshot.ts";
import { finishErasure } from "./erasure/finish.ts";
import { erasureRoutes } from "./erasure/handlers.ts";
import { cleanUpExport, cleanUpExports } from "./exports/clean-up.ts";
import { exportConsents } from "./exports/consents.ts";
import { exportSerializer } from "./exports/events.ts";
import { exportRoutes } from "./exports/handlers.ts";
import { makeExport } from "./exports/make.ts";
import { exportFiles } from "./exports/pages.ts";
import { administrationExports } from "./exports.ts";
import { cleanUpOwnCopy, cleanUpOwnData } from "./own-data/clean-up.ts";
import { makeOwnDataCopy } from "./own-data/copy.ts";
import { ownDataRoutes } from "./own-data/handlers.ts";
import { ownDataFiles } from "./own-data/pages.ts";
import { settingsRoutes } from "./settings/handlers.ts";
import { notYetBuiltSection } from "./settings/not-yet-built-section.ts";
import { organizationSection, settingsSection } from "./settings/snapshot.ts";
import { countStatistics, countStatisticsOf, forgetStatistics } from "./statistics/count.ts";
import { statisticsRoutes } from "./statistics/handlers.ts";

/** What the administration needs of all modules. */
interface Later {
  exports(): readonly ModuleExports[];
}

export const administrationModule = (later: Later): ModuleParts => ({
  exports: administrationExports,
  beforeCommitHooks: () => [exportConsents],
  queues: ({ keyring, siteOf }) => ({ serializers: [exportSerializer(keyring, siteOf)] }),
  registerSections: ({ config }) => [
    organizationSection(config),
    settingsSection(organizationSettingList, organizationPermissionList),
    domainSection,
    notYetBuiltSection,
  ],
  routes: (services) => [
    ...settingsRoutes(services, {
      endpoint: updateOrganization,
      settings: organizationSettingList,
      permissions: organizationPermissionList,
    }),
    ...domainRoutes,
    ...exportRoutes(services),
    ...ownDataRoutes(services),
    ...auditLogRoutes,
    ...erasureRoutes(services),
    ...statisticsRoutes,
  ],
  jobs: [
    finishErasure,
    makeExport(later.exports),
    cleanUpExports,
    cleanUpExport,
    makeOwnDataCopy,
    cleanUpOwnData,
    cleanUpOwnCopy,
    countStatistics,
    countStatisticsOf,
    forgetStatistics,
  ],
  pages: (services) => [...exportFiles(services), ...ownDataFiles(services)],
});
