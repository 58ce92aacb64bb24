import type { ModuleParts } from "../module-parts.ts";
import { registerHelp } from "./help/pages.ts";
import { forgetOrganizationInvitations } from "./setup/invitations.ts";
import { registerPages } from "./setup/pages.ts";

export const websiteModule: ModuleParts = {
  jobs: [forgetOrganizationInvitations],
  pages(pages, services) {
    registerHelp(pages, services);
    registerPages(pages, services);
  },
};
