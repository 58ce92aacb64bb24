import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { organization } from "./organization.ts";

/**
 * The address under which people reach an organization, for links that are mailed or kept. The first
 * organization has the server's own. `reached`: the address of the request, for a server without
 * PARLEY_PUBLIC_URL.
 */
export async function siteOf(
  { config, organizations }: Pick<Services, "config" | "organizations">,
  state: OrganizationState,
  reached: string,
): Promise<string> {
  if (config.publicUrl === undefined) return reached;
  const site = new URL(config.publicUrl);
  if ((await organizations.primary()) !== state) site.hostname = state.get(organization).host;
  return site.origin;
}
