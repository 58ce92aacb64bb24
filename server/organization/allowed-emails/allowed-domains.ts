import type { Projection } from "../../platform/log/projection.ts";
import { type AllowedDomain, listDomains } from "./store.ts";

export interface AllowedDomainsPatch {
  put?: AllowedDomain;
  remove?: string;
}

/** The domains whose email addresses the organization takes, by name, the oldest first. */
export const allowedDomains: Projection<Map<string, AllowedDomain>, AllowedDomainsPatch> = {
  name: "allowed_domains",
  async load(tx, organizationId) {
    const all = await listDomains(tx, organizationId);
    return new Map(all.map((each) => [each.domain, each]));
  },
  apply(value, { put, remove }) {
    if (put) value.set(put.domain, put);
    if (remove !== undefined) value.delete(remove);
  },
};
