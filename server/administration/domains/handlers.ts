import {
  addDomain as addDomainEndpoint,
  getDomains,
  removeDomain as removeDomainEndpoint,
  updateDomain as updateDomainEndpoint,
} from "../../../api/administration/domains.ts";
import { addDomain, changeDomain, removeDomain } from "../../organization/allowed-emails/actions.ts";
import { allowedDomains } from "../../organization/allowed-emails/allowed-domains.ts";
import { presentDomain } from "../../organization/allowed-emails/present.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkOwner } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";

export const domainRoutes: readonly Route[] = [
  route(getDomains, ({ state }) => ({ domains: [...state.get(allowedDomains).values()].map(presentDomain) })),
  route(addDomainEndpoint, async ({ viewer, params: { domain, allowSubdomains } }) => {
    const added = await changeState(viewer, (tx) => {
      checkOwner(tx.viewer);
      return addDomain(tx, { domain, allowSubdomains });
    });
    return { new_domain: [added.id, added.domain] };
  }),
  route(updateDomainEndpoint, async ({ viewer, params: { domain, allowSubdomains } }) => {
    await changeState(viewer, async (tx) => {
      checkOwner(tx.viewer);
      await changeDomain(tx, domain, allowSubdomains);
    });
    return {};
  }),
  route(removeDomainEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, async (tx) => {
      checkOwner(tx.viewer);
      await removeDomain(tx, params.domain);
    });
    return {};
  }),
];
