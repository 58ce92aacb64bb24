/** Changes of the list of domains. Everyone gets the event. The callers check the viewer's role. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { domainAdded, domainChanged, domainRemoved } from "../../../api/events/domains.ts";
import { MAX_DOMAINS } from "../../../api/limits.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { changeOrganization } from "../actions.ts";
import { changesBetween } from "../audit-log/changes.ts";
import { recordAudit } from "../audit-log/record.ts";
import { settingOf } from "../setting.ts";
import { allowedDomains } from "./allowed-domains.ts";
import { parseDomain, readDomain } from "./domain-name.ts";
import { presentDomain } from "./present.ts";
import { type AllowedDomain, deleteDomain, insertDomain, updateDomain } from "./store.ts";

/** Adds a domain. Throws `invalidDomain`, `domainTaken` or `tooManyInOrganization`. */
export async function addDomain(
  tx: Change,
  { domain: text, allowSubdomains }: { domain: string; allowSubdomains: boolean },
): Promise<AllowedDomain> {
  const domain = parseDomain(text);
  const all = tx.state.get(allowedDomains);
  if (all.has(domain)) throw new ApiError(errors.domainTaken, { domain });
  if (all.size >= MAX_DOMAINS) {
    throw new ApiError(errors.tooManyInOrganization, { what: "domains", limit: MAX_DOMAINS });
  }
  const added = await insertDomain(tx, tx.state.organizationId, { domain, allowSubdomains });
  const changes = changesBetween({}, presentDomain(added));
  await recordAudit(tx, { action: "domain_added", targetId: added.id, changes });
  const fields = { realm_domain: presentDomain(added) };
  tx.append(domainAdded, fields, everyone, patchOf(allowedDomains, { put: added }));
  return added;
}

/** Decides whether subdomains are allowed too. Throws `noSuchDomain`. */
export async function changeDomain(tx: Change, text: string, allowSubdomains: boolean): Promise<void> {
  const before = accessDomain(tx, text);
  if (before.allowSubdomains === allowSubdomains) return;
  const after = { ...before, allowSubdomains };
  await updateDomain(tx, tx.state.organizationId, after);
  const changes = changesBetween(presentDomain(before), presentDomain(after));
  await recordAudit(tx, {
    action: "domain_updated",
    targetId: before.id,
    changes: { domain: { old: before.domain }, ...changes },
  });
  const fields = { realm_domain: presentDomain(after) };
  tx.append(domainChanged, fields, everyone, patchOf(allowedDomains, { put: after }));
}

/**
 * Removes a domain. With the last one the organization is no longer restricted to domains: with none, it
 * would take nobody. Throws `noSuchDomain`.
 */
export async function removeDomain(tx: Change, text: string): Promise<void> {
  const before = accessDomain(tx, text);
  const { id, domain } = before;
  const isLast = tx.state.get(allowedDomains).size === 1;
  const setting = organizationSettings.emailsRestrictedToDomains;
  await deleteDomain(tx, tx.state.organizationId, id);
  const changes = changesBetween(presentDomain(before), {});
  await recordAudit(tx, { action: "domain_removed", targetId: id, changes });
  if (isLast && settingOf(tx.state, setting)) {
    const settings = { [setting.name]: undefined };
    await changeOrganization(
      tx,
      { settings },
      { alone: [{ property: setting.name, value: false }], together: {} },
    );
  }
  tx.append(domainRemoved, { domain }, everyone, patchOf(allowedDomains, { remove: domain }));
}

function accessDomain(tx: Change, text: string): AllowedDomain {
  const found = tx.state.get(allowedDomains).get(readDomain(text) ?? "");
  if (!found) throw new ApiError(errors.noSuchDomain, { domain: text });
  return found;
}
