import { parseOrganizationName } from "../../organization/names.ts";
import { parseEmail, parseFullName } from "../../people/names.ts";
import { parsePassword } from "../../platform/crypto/passwords.ts";
import { type FilledForm, readForm } from "../../platform/http/form-fields.ts";
import type { NewOrganization } from "./create-organization.ts";
import { parseSubdomain } from "./further-organizations.ts";

const parsers = {
  organization_name: parseOrganizationName,
  subdomain: parseSubdomain,
  full_name: parseFullName,
  email: parseEmail,
  password: parsePassword,
};

export type FieldName = keyof typeof parsers;

export const fieldNames = Object.keys(parsers) as FieldName[];

/** What is fixed before the form is filled in. `email`: the link went there. */
export type Invitee = { email: string | null };

/** The first organization has the installation's own name, and each further one a name below it. */
export function readOrganizationForm(body: unknown, { email }: Invitee): FilledForm<FieldName> {
  if (email === null) return readForm(body, { ...parsers, subdomain: (text: string) => text });
  const form = readForm(body, { ...parsers, email: (text: string) => text });
  return { ...form, values: { ...form.values, email } };
}

export function toOrganization({ values }: FilledForm<FieldName>, host: string): NewOrganization {
  const { organization_name: name, full_name: fullName, email, password } = values;
  return { name, host, owner: { fullName, email, password }, hasFirstTopic: true };
}
