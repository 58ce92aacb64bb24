import { registerDomains } from "../../../api/register/domains.ts";
import { allowedDomains } from "../../organization/allowed-emails/allowed-domains.ts";
import { presentDomain } from "../../organization/allowed-emails/present.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";

export const domainSection = sectionOf(registerDomains, ({ state, viewer, wants }) => {
  if (!wants("realm_domains")) return undefined;
  return { realm_domains: viewer ? [...state.get(allowedDomains).values()].map(presentDomain) : [] };
});
