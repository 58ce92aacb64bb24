import { getIdentities, removeIdentity } from "../../../api/accounts/providers.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { endOwnIdentity, nameOf, readIdentities } from "./identities.ts";
import type { ListedIdentity } from "./store.ts";

export function identityRoutes(services: Pick<Services, "config" | "keyring" | "mailer">): Route[] {
  const { config } = services;
  return [
    route(getIdentities, async ({ state, viewer }) => {
      checkPerson(viewer);
      const own = await readIdentities(state, viewer.user.id);
      return { identities: own.map((each) => presentIdentity(config, each)) };
    }),
    route(removeIdentity, async ({ viewer, params: { identityId } }) => {
      await endOwnIdentity(services, viewer, identityId);
      return {};
    }),
  ];
}

function presentIdentity(
  config: Services["config"],
  { id, providerId, connectedBy, connectedAt, lastUsedAt }: ListedIdentity,
) {
  return {
    id,
    provider: providerId,
    provider_name: nameOf(config, providerId),
    connected_by: connectedBy,
    connected_at: Math.floor(connectedAt.getTime() / 1000),
    last_used_at: Math.floor(lastUsedAt.getTime() / 1000),
  };
}
