/** The words for an entry of the audit log. */
import { auditTargets, type getAuditLog } from "../../../api/administration/audit-log.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { state } from "../../shared/state/state.ts";
import { channelName, nameOf } from "../../shared/text/names.ts";
import { roleName } from "../people/role-name.ts";

export type AuditEntry = (typeof getAuditLog)["example"]["reply"]["entries"][number];

const MAX_VALUE = 80;

export const targetNames = Object.keys(auditTargets) as (keyof typeof auditTargets)[];

/** As `user_role_changed`. A new server may have others than this client knows. */
export function actionName(action: string): string {
  return t(`audit.action.${action}` as TextKey) || action.replaceAll("_", " ");
}

export function targetName(target: string): string {
  return t(`audit.target.${target}` as TextKey) || target.replaceAll("_", " ");
}

/** What was changed, by its present name where that is known. */
export function subjectOf({ target_type, target_id }: AuditEntry): string {
  if (target_id === null) return "";
  if (target_type === "user") return nameOf(target_id);
  if (target_type === "channel") return `#${channelName(target_id)}`;
  if (target_type === "group") return state.model.groups.byId.get(target_id)?.name ?? `${target_id}`;
  if (target_type === "custom_emoji")
    return `:${state.model.customEmoji.byId.get(String(target_id))?.name ?? target_id}:`;
  if (target_type === "profile_field")
    return state.model.profileFields.byId.get(target_id)?.name ?? `${target_id}`;
  return `(${target_id})`;
}

/** One line for each field: its name, and what it was and became. What was and is empty is left out. */
export function changesOf({ changes }: AuditEntry): { field: string; old: string; new: string }[] {
  return Object.entries(changes)
    .map(([field, change]) => ({
      field,
      old: valueText(field, change.old),
      new: valueText(field, change.new),
    }))
    .filter((change) => change.old !== "" || change.new !== "");
}

export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (field === "role" && typeof value === "number") return roleName(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
