import type { ModuleParts } from "../module-parts.ts";
import { helpPages } from "./help/pages.ts";
import { forgetOrganizationInvitations } from "./setup/invitations.ts";
import { startPages } from "./setup/pages.ts";

export const websiteModule: ModuleParts = {
  jobs: [forgetOrganizationInvitations],
  pages: (services) => [...helpPages, ...startPages(services)],
};
