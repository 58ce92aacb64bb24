import type { Config } from "../config.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Services } from "../services.ts";
import { organization } from "./organization.ts";

/**
 * The address under which people reach an organization, for an answer to somebody who has reached it. The
 * first organization has the server's own. `reached`: the address of the request, for a server without
 * PARLEY_PUBLIC_URL. Never for a mail: the sender of a request can name any port, and the program that
 * listens there gets the secret of the link.
 */
export async function siteOf(
  { config, organizations }: Pick<Services, "config" | "organizations">,
  state: OrganizationState,
  reached: string,
): Promise<string> {
  if (config.publicUrl === undefined) return reached;
  return siteAt(config.publicUrl, state, (await organizations.primary()) === state);
}

/** The same for mail, whatever request has caused it. */
export async function ownSiteOf(
  { config, organizations }: Pick<Services, "config" | "organizations">,
  state: OrganizationState,
): Promise<string> {
  return knownSite(config, state, (await organizations.primary()) === state);
}

/**
 * The same where there is no request. Without PARLEY_PUBLIC_URL it is a guess: the organization's host name,
 * with the port on which the server listens. A server that sends mail in production has the setting.
 */
export function knownSite(
  { publicUrl, port }: Pick<Config, "publicUrl" | "port">,
  state: OrganizationState,
  isPrimary: boolean,
): string {
  if (publicUrl !== undefined) return siteAt(publicUrl, state, isPrimary);
  return new URL(`http://${state.get(organization).host}${port === 0 ? "" : `:${port}`}`).origin;
}

function siteAt(publicUrl: string, state: OrganizationState, isPrimary: boolean): string {
  const site = new URL(publicUrl);
  if (!isPrimary) site.hostname = state.get(organization).host;
  return site.origin;
}
