import { createRequire } from "node:module";
import type * as list from "disposable-email-domains-js";

const require = createRequire(import.meta.url);
/** Read at the first use: many processes check no address, and the list has some 9,000 names. */
let domains: ReadonlySet<string> | undefined;

/** Whether mail to the domain goes to a service of throw-away addresses; its subdomains count too. */
export function isDisposable(domain: string): boolean {
  domains ??= (require("disposable-email-domains-js") as typeof list).disposableEmailBlocklistSet();
  return withParents(domain).some((each) => domains?.has(each));
}

/** The domain and those that it is a subdomain of, down to two parts: a.b.example, b.example. */
export function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, place) => labels.slice(place).join("."));
}
