/**
 * The domains whose email addresses the organization takes. They count while the setting
 * `emails_restricted_to_domains` is on.
 */
import { type Static, Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";

export const domainRecord = Type.Object({
  domain: Type.String({ description: "The domain, in lower case. An international one is in Punycode." }),
  allow_subdomains: Type.Boolean({ description: "Whether addresses of its subdomains are allowed too." }),
});

export type DomainRecord = Static<typeof domainRecord>;

export const exampleDomain: DomainRecord = { domain: "example.com", allow_subdomains: false };

const allowSubdomains = required(Type.Boolean(), {
  description: "Whether addresses of its subdomains are allowed too.",
});
const domainInPath = inPath(Type.String(), { description: "The domain." });

export const getDomains = endpoint({
  name: "getDomains",
  subject: "Domains",
  method: "GET",
  path: "/realm/domains",
  access: "user",
  summary: "Get allowed domains",
  description: "Returns the domains whose email addresses the organization takes.",
  parameters: {},
  reply: { domains: Type.Array(domainRecord, { description: "The domains, the oldest first." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { domains: [exampleDomain] } },
  sample: () => ({}),
});

export const addDomain = endpoint({
  name: "addDomain",
  subject: "Domains",
  method: "POST",
  path: "/realm/domains",
  access: "owner",
  summary: "Allow a domain",
  description:
    "Adds a domain whose email addresses the organization takes. It counts while `emails_restricted_to_domains` is on. Accounts that exist keep their addresses.",
  parameters: {
    domain: required(Type.String(), {
      description: "The domain, such as `example.com`. It is stored in lower case and in Punycode.",
    }),
    allow_subdomains: allowSubdomains,
  },
  reply: {
    new_domain: Type.Array(Type.Union([Type.Integer(), Type.String()]), {
      description: "The ID of the new entry, and the domain as it is stored.",
    }),
  },
  errors: [errors.invalidDomain, errors.domainTaken, errors.tooManyInOrganization],
  emits: ["realm_domains/add"],
  example: { parameters: exampleDomain, reply: { new_domain: [4, "example.com"] } },
  sample: (ids) => ({ domain: `${ids.freshName}.example.com`, allow_subdomains: false }),
});

export const updateDomain = endpoint({
  name: "updateDomain",
  subject: "Domains",
  method: "PATCH",
  path: "/realm/domains/{domain}",
  access: "owner",
  summary: "Change an allowed domain",
  description: "Decides whether addresses of the domain's subdomains are allowed too.",
  parameters: { domain: domainInPath, allow_subdomains: allowSubdomains },
  reply: {},
  errors: [errors.noSuchDomain],
  emits: ["realm_domains/change"],
  example: { parameters: { domain: "example.com", allow_subdomains: true }, reply: {} },
  sample: (ids) => ({ domain: ids.domain, allow_subdomains: true }),
});

export const removeDomain = endpoint({
  name: "removeDomain",
  subject: "Domains",
  method: "DELETE",
  path: "/realm/domains/{domain}",
  access: "owner",
  summary: "Remove an allowed domain",
  description:
    "Removes a domain from those whose addresses are allowed. With the last one the organization is no longer restricted: `emails_restricted_to_domains` becomes false.",
  parameters: { domain: domainInPath },
  reply: {},
  errors: [errors.noSuchDomain],
  emits: ["realm_domains/remove", "realm/update"],
  example: { parameters: { domain: "example.com" }, reply: {} },
  sample: (ids) => ({ domain: ids.domain }),
});
