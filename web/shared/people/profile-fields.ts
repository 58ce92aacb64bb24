/** The values of somebody's profile, in the organization's order and in words. */
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import type { ProfileField } from "../../../client/model/profile-fields.ts";
import type { ProfileValue } from "../../../client/model/users.ts";
import { language } from "../../i18n/t.ts";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";

export interface ShownField {
  name: string;
  isInSummary: boolean;
  text: string;
  /** The address of a link, or of an account elsewhere. */
  url?: string;
  /** The HTML of a text with formats. */
  html?: string;
  /** The people of a list. */
  userIds?: readonly number[];
}

export function fieldsOf(userId: number): ShownField[] {
  const values = state.model.users.get(userId)?.profileData ?? {};
  return [...state.model.profileFields.byId.values()].flatMap((field) => {
    const value = values[field.id];
    if (!value || value.value === "") return [];
    return [{ name: field.name, isInSummary: field.isInSummary, ...shown(field, value) }];
  });
}

function shown(field: ProfileField, { value, renderedValue }: ProfileValue) {
  switch (field.type) {
    case profileFieldTypes.USER.id: {
      const userIds = idsIn(value);
      return { text: userIds.map(nameOf).join(", "), userIds };
    }
    case profileFieldTypes.SELECT.id:
      return { text: optionOf(field.fieldData, value) };
    case profileFieldTypes.DATE.id:
      return { text: dateOf(value) };
    case profileFieldTypes.URL.id:
      return { text: value, ...(isWeb(value) && { url: value }) };
    case profileFieldTypes.EXTERNAL_ACCOUNT.id: {
      const url = accountUrl(field.fieldData, value);
      return { text: value, ...(url !== undefined && { url }) };
    }
    default:
      return { text: value, ...(renderedValue !== undefined && { html: renderedValue }) };
  }
}

function idsIn(value: string): number[] {
  const ids: unknown = JSON.parse(value);
  return Array.isArray(ids) ? ids.map(Number) : [];
}

function optionOf(fieldData: string, value: string): string {
  const options = JSON.parse(fieldData) as Record<string, { text?: string }>;
  return options[value]?.text ?? value;
}

/** Without a time zone, as it was written down. */
function dateOf(value: string): string {
  const at = Date.parse(`${value}T00:00:00Z`);
  if (Number.isNaN(at)) return value;
  return new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" }).format(at);
}

/** Services that the server knows have a pattern; for others, the field has one. */
function accountUrl(fieldData: string, name: string): string | undefined {
  const { subtype, url_pattern } = JSON.parse(fieldData) as { subtype?: string; url_pattern?: string };
  const known = (state.model.organization.get({ name: "default_external_accounts", default: {} }) ??
    {}) as Record<string, { url_pattern?: string }>;
  const pattern = url_pattern ?? known[subtype ?? ""]?.url_pattern;
  const url = pattern?.replace("%(username)s", encodeURIComponent(name));
  return url !== undefined && isWeb(url) ? url : undefined;
}

function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
