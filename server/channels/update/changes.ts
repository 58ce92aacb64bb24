import { channelPermissionList, channelPermissions } from "../../../api/channels/channel-permissions.ts";
import type { GroupValue } from "../../groups/group.ts";
import { isSameGroupValue } from "../../groups/group-value.ts";
import { type AuditChanges, changesBetween } from "../../organization/audit-log/changes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Channel } from "../channel.ts";
import type { PropertyChange } from "../events.ts";
import { channelPermissionOf } from "../permissions.ts";
import { presentPostPolicy } from "../present.ts";

/**
 * The changed properties of a channel, in the order of the events. Whether it is a default channel has
 * its own event.
 */
export function presentChanges(state: OrganizationState, before: Channel, after: Channel): PropertyChange[] {
  const changes: PropertyChange[] = [];
  if (after.isArchived !== before.isArchived) {
    changes.push({ property: "is_archived", value: after.isArchived });
  }
  if (after.name !== before.name) changes.push({ property: "name", value: after.name });
  if (after.description !== before.description) {
    changes.push({
      property: "description",
      value: after.description,
      rendered_description: after.renderedDescription,
    });
  }
  if (isPrivacyChanged(before, after)) {
    changes.push({
      property: "invite_only",
      value: after.isPrivate,
      history_public_to_subscribers: after.isHistoryShared,
      is_web_public: after.isWebPublic,
    });
  }
  if (after.messageRetentionDays !== before.messageRetentionDays) {
    changes.push({ property: "message_retention_days", value: after.messageRetentionDays });
  }
  if (after.folderId !== before.folderId) changes.push({ property: "folder_id", value: after.folderId });
  if (after.topicsPolicy !== before.topicsPolicy) {
    changes.push({ property: "topics_policy", value: after.topicsPolicy });
  }
  return [...changes, ...permissionChanges(state, before, after)];
}

/** The properties that the audit log records, by their names in the API. Permissions are apart. */
export function auditedProperties(channel: Channel) {
  return {
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.isHistoryShared,
    is_default_stream: channel.isDefault,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    is_archived: channel.isArchived,
  };
}

/** What the audit log records of a change. */
export function auditedChanges(state: OrganizationState, before: Channel, after: Channel): AuditChanges {
  const permissions = changedPermissions(state, before, after);
  return {
    ...changesBetween(auditedProperties(before), auditedProperties(after)),
    ...Object.fromEntries(
      permissions.map(({ permission, from, to }) => [permission.name, { old: from, new: to }]),
    ),
  };
}

export function isPrivacyChanged(before: Channel, after: Channel): boolean {
  return (
    after.isPrivate !== before.isPrivate ||
    after.isWebPublic !== before.isWebPublic ||
    after.isHistoryShared !== before.isHistoryShared
  );
}

/** The permissions whose value is different from before. */
export function changedPermissions(state: OrganizationState, before: Channel, after: Channel) {
  return channelPermissionList
    .map((permission) => ({
      permission,
      from: channelPermissionOf(state, before, permission),
      to: channelPermissionOf(state, after, permission),
    }))
    .filter(({ from, to }) => !isSameGroupValue(from, to));
}

function permissionChanges(state: OrganizationState, before: Channel, after: Channel): PropertyChange[] {
  return changedPermissions(state, before, after).flatMap(({ permission, from, to }) => [
    { property: permission.name, value: to },
    ...(permission === channelPermissions.canSendMessage ? postPolicyChanges(state, from, to) : []),
  ]);
}

/** COMPAT: older clients know who may post by a number, and still older clients by a boolean. */
function postPolicyChanges(state: OrganizationState, from: GroupValue, to: GroupValue): PropertyChange[] {
  const old = Object.entries(presentPostPolicy(state, from));
  const now = presentPostPolicy(state, to) as Record<string, number | boolean>;
  return old
    .filter(([property, value]) => now[property] !== value)
    .map(([property]) => ({ property, value: now[property] as number | boolean }));
}
