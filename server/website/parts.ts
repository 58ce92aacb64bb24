import type { ModuleParts } from "../module-parts.ts";
import { websiteExports } from "./exports.ts";
import { helpPages } from "./help/pages.ts";
import { operatorPages } from "./operator/pages.ts";
import { forgetOrganizationInvitations } from "./setup/invitations.ts";
import { startPages } from "./setup/pages.ts";

export const websiteModule: ModuleParts = {
  exports: websiteExports,
  jobs: [forgetOrganizationInvitations],
  pages: (services) => [...helpPages, ...startPages(services), ...operatorPages(services)],
};
