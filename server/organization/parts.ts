import type { ModuleParts } from "../module-parts.ts";
import { allowedDomains } from "./allowed-emails/allowed-domains.ts";
import { organization } from "./organization.ts";
import { organizationFiles } from "./pages.ts";

export const organizationModule: ModuleParts = {
  projections: () => [organization, allowedDomains],
  pages: organizationFiles,
};
