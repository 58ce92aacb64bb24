import { Type } from "typebox";
import { domainRecord } from "../administration/domains.ts";
import { registerSection } from "../register-section.ts";

export const registerDomains = registerSection({
  fields: {
    realm_domains: Type.Array(domainRecord, {
      description:
        "Domains whose email addresses are allowed, the oldest first. Empty for visitors without an account.",
    }),
  },
});
