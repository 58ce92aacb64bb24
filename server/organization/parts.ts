import type { ModuleParts } from "../module-parts.ts";
import { allowedDomains } from "./allowed-emails/allowed-domains.ts";
import { organizationExports } from "./exports.ts";
import { organization } from "./organization.ts";
import { organizationFiles } from "./pages.ts";

export const organizationModule: ModuleParts = {
  exports: organizationExports,
  projections: () => [organization, allowedDomains],
  pages: organizationFiles,
};
