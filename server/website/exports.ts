import type { ModuleExports } from "../module-exports.ts";

export const websiteExports: ModuleExports = {
  tables: [],
  leftOut: { organization_invitations: "They belong to the installation, and are credentials." },
};
