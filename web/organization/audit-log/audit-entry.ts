/** The words for an entry of the audit log. */
import { auditTargets, type getAuditLog } from "../../../api/administration/audit-log.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { state } from "../../shared/state/state.ts";
import { channelName, nameOf } from "../../shared/text/names.ts";
import { valueText } from "./audit-value.ts";

export type AuditEntry = (typeof getAuditLog)["example"]["reply"]["entries"][number];

export const targetNames = Object.keys(auditTargets) as (keyof typeof auditTargets)[];

/** The entry as a sentence. A new server may have actions that this client does not know. */
export function sentenceOf(entry: AuditEntry): string {
  const who = apart(entry.actor_id === null ? t("audit.server") : nameOf(entry.actor_id));
  const subject = apart(subjectOf(entry));
  const sentence = t(`audit.action.${entry.action}` as TextKey, { who, subject });
  return sentence || [who, entry.action.replaceAll("_", " "), subject].join(" ");
}

/** A name's direction of writing is of no concern to the words around it. */
const apart = (name: string) => `\u2068${name}\u2069`;

export function targetName(target: string): string {
  return t(`audit.target.${target}` as TextKey) || target.replaceAll("_", " ");
}

/** What was changed, by its present name where that is known. */
function subjectOf({ target_type, target_id }: AuditEntry): string {
  if (target_id === null) return target_type === "channel" ? t("audit.several.channel") : "";
  if (target_type === "user") return nameOf(target_id);
  if (target_type === "channel") return `#${channelName(target_id)}`;
  if (target_type === "group") return state.model.groups.byId.get(target_id)?.name ?? `${target_id}`;
  if (target_type === "custom_emoji")
    return `:${state.model.customEmoji.byId.get(String(target_id))?.name ?? target_id}:`;
  if (target_type === "profile_field")
    return state.model.profileFields.byId.get(target_id)?.name ?? `${target_id}`;
  if (target_type === "channel_folder")
    return state.model.folders.byId.get(target_id)?.name ?? `${target_id}`;
  return `${target_id}`;
}

interface FieldChange {
  field: string;
  /** Otherwise `field` is the API's name. */
  isNamed: boolean;
  old: string;
  new: string;
}

/** One line for each field: its name, and what it was and became. What was and is empty is left out. */
export function changesOf({ changes }: AuditEntry): FieldChange[] {
  return Object.entries(changes)
    .map(([field, change]) => ({
      field: fieldName(field) || field,
      isNamed: fieldName(field) !== "",
      old: valueText(field, change.old),
      new: valueText(field, change.new),
    }))
    .filter((change) => change.old !== "" || change.new !== "");
}

/** As the setting is called where it is changed. */
function fieldName(field: string): string {
  return t(`organization.setting.${field}` as TextKey) || t(`audit.field.${field}` as TextKey);
}
