import { Type } from "typebox";
import { domainRecord, exampleDomain } from "../administration/domains.ts";
import { event } from "../event.ts";
import { described } from "../fields.ts";

export const domainAdded = event({
  type: "realm_domains",
  op: "add",
  description: "A domain whose email addresses are allowed was added.",
  payload: { realm_domain: described(domainRecord, "The new domain.") },
  example: { realm_domain: exampleDomain },
});

export const domainChanged = event({
  type: "realm_domains",
  op: "change",
  description: "It was decided whether addresses of a domain's subdomains are allowed.",
  payload: { realm_domain: described(domainRecord, "The domain as it now is.") },
  example: { realm_domain: { ...exampleDomain, allow_subdomains: true } },
});

export const domainRemoved = event({
  type: "realm_domains",
  op: "remove",
  description: "A domain is no longer among those whose email addresses are allowed.",
  payload: { domain: Type.String({ description: "The domain." }) },
  example: { domain: exampleDomain.domain },
});
