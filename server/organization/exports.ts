import type { ModuleExports } from "../module-exports.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { allowedDomains } from "./allowed-emails/allowed-domains.ts";
import { presentDomain } from "./allowed-emails/present.ts";
import { organization } from "./organization.ts";

export const organizationExports: ModuleExports = {
  tables: ["organizations", "allowed_domains"],
  leftOut: { audit_log: "It tells what administrators did, and from which networks." },
  records: ({ state }) => ({
    organization: [organizationRecord(state)],
    domains: [...state.get(allowedDomains).values()].map(presentDomain),
  }),
};

function organizationRecord(state: OrganizationState) {
  const { id, host, name, createdAt, settings, defaultUserSettings } = state.get(organization);
  return {
    id,
    host,
    name,
    date_created: createdAt,
    settings,
    default_user_settings: defaultUserSettings,
  };
}
