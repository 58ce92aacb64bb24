import type { TSchema } from "typebox";
import { Check } from "typebox/value";
import { settingsWithOrganizationDefault } from "../../api/administration/default-user-settings.ts";
import { organizationSettingList } from "../../api/administration/organization-settings.ts";
import type { OrganizationId } from "../../api/ids.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Projection } from "../platform/log/projection.ts";
import { queuesOf, removeQueue } from "../platform/queues/organization-queues.ts";
import { findOrganization, type OrganizationPictures } from "./store.ts";

/** The organization itself, as every node keeps it in memory. */
export interface Organization {
  id: OrganizationId;
  /** The host name under which it is served, without a port. */
  host: string;
  name: string;
  /** Only what differs from the defaults; read it through `settingOf`. */
  settings: Record<string, unknown>;
  /** With what people who join start, where it differs from the declared defaults. */
  defaultUserSettings: Record<string, unknown>;
  /** UNIX seconds. */
  createdAt: number;
  isActive: boolean;
  pictures: OrganizationPictures;
}

/**
 * Patch: the organization as it now is. The object lives as long as the node, so its holders see changes. The
 * event queues of an organization that is deactivated end.
 */
export const organization: Projection<Organization, Organization> = {
  name: "organization",
  async load(tx, organizationId) {
    const found = await findOrganization(tx, organizationId);
    if (!found) throw new Error(`there is no organization ${organizationId}`);
    return {
      ...found,
      settings: withoutInvalid(found.settings, organizationSettingList),
      defaultUserSettings: withoutInvalid(found.defaultUserSettings, settingsWithOrganizationDefault),
    };
  },
  apply(value, patch, state) {
    Object.assign(value, patch);
    if (value.isActive) return;
    for (const queue of queuesOf(state).byId.values()) {
      // The poll that it holds is answered with the event that says so.
      queue.release();
      removeQueue(state, queue);
    }
  },
};

/**
 * The organization's name in addresses: the first part of its host name, or "" where the host is an IP
 * address.
 */
export function organizationSlug(state: OrganizationState): string {
  const { host } = state.get(organization);
  return /^[\d.]+$|^\[/.test(host) ? "" : (host.split(".")[0] ?? "");
}

/**
 * A stored value that its declaration does not allow counts as not chosen, and the next change of a setting
 * removes it from the row. Otherwise one wrong row would fail every response that has the setting in it.
 */
function withoutInvalid(
  settings: Readonly<Record<string, unknown>>,
  declared: readonly { name: string; schema: TSchema }[],
): Record<string, unknown> {
  const valid = { ...settings };
  for (const { name, schema } of declared) {
    if (Object.hasOwn(valid, name) && !Check(schema, valid[name])) delete valid[name];
  }
  return valid;
}
