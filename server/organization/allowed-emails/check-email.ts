/** Which email addresses an organization takes. Everything by which a person's address comes in asks this. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { settingOf } from "../setting.ts";
import { allowedDomains } from "./allowed-domains.ts";
import { isDisposable, withParents } from "./disposable.ts";
import { readDomain } from "./domain-name.ts";

/**
 * Checks an address that a new account or an invitation is to have. Throws `emailNotAllowed` or
 * `emailWithPlus` in an organization that is restricted to domains, and else `disposableEmail`, where the
 * organization refuses such addresses. What is on the list of domains is wanted, even if it is disposable.
 */
export function checkEmailAllowed(state: OrganizationState, email: string): void {
  const at = email.lastIndexOf("@");
  const domain = readDomain(email.slice(at + 1));
  if (settingOf(state, organizationSettings.emailsRestrictedToDomains)) {
    // With a plus one person could have any number of accounts.
    if (email.slice(0, at).includes("+")) throw new ApiError(errors.emailWithPlus);
    if (!domain || !isListed(state, domain)) throw new ApiError(errors.emailNotAllowed, { email });
  } else if (settingOf(state, organizationSettings.disallowDisposableEmailAddresses)) {
    if (domain && isDisposable(domain)) throw new ApiError(errors.disposableEmail);
  }
}

function isListed(state: OrganizationState, domain: string): boolean {
  const all = state.get(allowedDomains);
  if (all.has(domain)) return true;
  return withParents(domain).some((parent) => all.get(parent)?.allowSubdomains);
}
