/** The values in the audit log, which has them as the API: ids become names. */
import { joinTexts } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { groupName } from "../../shared/groups/group-name.ts";
import { channelName, nameOf } from "../../shared/text/names.ts";
import { roleName } from "../people/role-name.ts";

const MAX_VALUE = 80;
const PEOPLE = /(^|_)(user_ids?|members|owner_id|sender_id)$/;
const CHANNELS = /(^|_)(stream_ids?|channel_ids?)$/;
const GROUPS = /(^|_)(subgroups|group_ids?|group)$|^can_/;

export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  const listText = (names: readonly string[]) => joinTexts(names, language(), "wide");
  const name = nameFor(field);
  if (name && typeof value === "number") return name(value);
  if (name && isIds(value)) return listText(value.map(name));
  if (isPermission(value)) {
    const names = [...value.direct_subgroups.map(groupName), ...value.direct_members.map(nameOf)];
    return listText(names);
  }
  if (isCutOff(value)) {
    const names = valueText(field, value.first);
    return t("audit.more.values", { names, count: value.count });
  }
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function nameFor(field: string): ((id: number) => string) | undefined {
  if (field === "role") return roleName;
  if (PEOPLE.test(field)) return nameOf;
  // -1 stands for none.
  if (CHANNELS.test(field)) return (id) => (id < 0 ? "" : `#${channelName(id)}`);
  return GROUPS.test(field) ? groupName : undefined;
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}

/** A permission that is not one group. */
function isPermission(value: unknown): value is { direct_members: number[]; direct_subgroups: number[] } {
  if (typeof value !== "object" || value === null) return false;
  return "direct_members" in value && "direct_subgroups" in value;
}

/** The server keeps the beginning of a long list. */
function isCutOff(value: unknown): value is { count: number; first: unknown[] } {
  return typeof value === "object" && value !== null && "count" in value && "first" in value;
}
