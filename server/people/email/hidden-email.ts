/**
 * What stands in place of a person's email for readers who may not know it. COMPAT: clients expect an address
 * everywhere, and know this form of it.
 */
import type { UserId } from "../../../api/ids.ts";
import { organization } from "../../organization/organization.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

export function hiddenEmail(state: OrganizationState, { id }: { id: UserId }): string {
  return `user${id}@${state.get(organization).host}`;
}

/** The id in an address of this form, whether there is such a person or not. */
export function parseHiddenEmail(state: OrganizationState, email: string): number | undefined {
  const [, id, host] = /^user(\d{1,15})@(.+)$/i.exec(email) ?? [];
  return host?.toLowerCase() === state.get(organization).host ? Number(id) : undefined;
}
