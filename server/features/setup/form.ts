import { parsePassword } from "../../platform/crypto/passwords.ts";
import type { FilledForm } from "../../platform/http/form-fields.ts";
import { parseOrganizationName } from "../organization/names.ts";
import { parseEmail, parseFullName } from "../users/names.ts";
import type { NewOrganization } from "./create-organization.ts";

export const parsers = {
  organization_name: parseOrganizationName,
  full_name: parseFullName,
  email: parseEmail,
  password: parsePassword,
};

export type FieldName = keyof typeof parsers;

export const fieldNames = Object.keys(parsers) as FieldName[];

export function toOrganization({ values }: FilledForm<FieldName>, host: string): NewOrganization {
  const { organization_name: name, full_name: fullName, email, password } = values;
  return { name, host, owner: { fullName, email, password } };
}
