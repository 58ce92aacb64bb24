import { channelPermissionList } from "../../../api/channels/channel-permissions.ts";
import type { TopicsPolicy } from "../../channels/channel.ts";
import { dateOf, flagOf, idOf, numberOf, type Row, textOf } from "../archive/row.ts";
import type { SourceChannel, SourceFolder, SourcePermission } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import type { ZulipGroups } from "./groups.ts";
import type { ZulipTables } from "./tables.ts";

const EPOCH = new Date(0);
const FOREVER = -1;

/** Before Zulip 10, archived channels were renamed. */
const DEACTIVATED = /^!+DEACTIVATED:/;

const topicsPolicies: Record<number, TopicsPolicy> = {
  1: "inherit",
  2: "allow_empty_topic",
  3: "disable_empty_topic",
  4: "empty_topic_only",
};

/** Who may post, before that was a permission. */
const postPolicies: Record<number, string> = {
  2: "role:administrators",
  3: "role:fullmembers",
  4: "role:moderators",
};

export function readFolders(tables: ZulipTables, report: Report): SourceFolder[] {
  return tables.rows("zerver_channelfolder").flatMap((row, index) => {
    const id = idOf(row, "id");
    if (id === undefined) return [];
    report.found("folders");
    return {
      id,
      name: textOf(row, "name") ?? "",
      description: textOf(row, "description") ?? "",
      creatorId: idOf(row, "creator"),
      order: numberOf(row, "order") ?? index,
      isArchived: flagOf(row, "is_archived"),
    };
  });
}

export function readChannels(tables: ZulipTables, groups: ZulipGroups, report: Report): SourceChannel[] {
  const defaults = new Set(tables.rows("zerver_defaultstream").map((row) => idOf(row, "stream")));
  return tables.rows("zerver_stream").flatMap((row) => {
    report.found("channels");
    const id = idOf(row, "id");
    if (id === undefined) {
      report.lose("channels without an id were left out");
      return [];
    }
    const isHistoryShared = row.history_public_to_subscribers !== false;
    // A public channel whose history is not shared exists for old bridges. Here it is private, so that nobody
    // reads more than before.
    const isPrivate = row.invite_only !== false || !isHistoryShared;
    const isArchived = flagOf(row, "deactivated");
    return {
      id,
      name: (textOf(row, "name") ?? "").replace(DEACTIVATED, ""),
      description: textOf(row, "description") ?? "",
      isPrivate,
      isWebPublic: !isPrivate && flagOf(row, "is_web_public"),
      isHistoryShared: isPrivate ? isHistoryShared && row.history_public_to_subscribers === true : true,
      isDefault: !isPrivate && !isArchived && defaults.has(id),
      isArchived,
      topicsPolicy: topicsPolicies[numberOf(row, "topics_policy") ?? 1] ?? "inherit",
      messageRetentionDays: retentionOf(row),
      folderId: idOf(row, "folder"),
      creatorId: idOf(row, "creator"),
      createdAt: dateOf(row, "date_created") ?? EPOCH,
      permissions: permissionsOf(row, groups, report),
    };
  });
}

function retentionOf(row: Row): number | null {
  const days = numberOf(row, "message_retention_days");
  if (days === undefined) return null;
  return Number.isInteger(days) && days > 0 && days < 100_000 ? days : FOREVER;
}

function permissionsOf(row: Row, groups: ZulipGroups, report: Report): Record<string, SourcePermission> {
  const permissions: Record<string, SourcePermission> = {};
  for (const { name } of channelPermissionList) {
    const id = idOf(row, name);
    if (id === undefined) continue;
    const value = groups.permission(id);
    if (value) permissions[name] = value;
    else
      report.lose(
        "permissions of channels name groups that the archive lacks: their defaults apply",
        textOf(row, "name"),
      );
  }
  const policy = postPolicies[numberOf(row, "stream_post_policy") ?? 1];
  if (policy !== undefined && permissions.can_send_message_group === undefined) {
    permissions.can_send_message_group = { memberIds: [], subgroupIds: [policy] };
  }
  return permissions;
}
