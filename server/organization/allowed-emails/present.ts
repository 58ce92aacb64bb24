import type { DomainRecord } from "../../../api/administration/domains.ts";
import type { AllowedDomain } from "./store.ts";

export function presentDomain({ domain, allowSubdomains }: AllowedDomain): DomainRecord {
  return { domain, allow_subdomains: allowSubdomains };
}
