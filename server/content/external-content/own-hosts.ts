import type { Config } from "../../config.ts";
import { organization } from "../../organization/organization.ts";
import type { Organizations } from "../../organization/organizations.ts";

/** Whether a host name, without a port, is one under which this server serves an organization. */
export function ownHosts(
  { publicUrl }: Pick<Config, "publicUrl">,
  organizations: Organizations,
): (host: string) => Promise<boolean> {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return async (given) => {
    const host = given.toLowerCase().replace(/\.$/, "");
    if (host === publicHost) return true;
    // An organization is also found by addresses of the loopback. `outbound-http` guards the ports there.
    return (await organizations.byHost(host))?.get(organization).host === host;
  };
}
