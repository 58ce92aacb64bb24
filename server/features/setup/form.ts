import { ApiError } from "../../../api/errors.ts";
import { parsePassword } from "../../platform/crypto/passwords.ts";
import { lastText } from "../../platform/http/form.ts";
import { parseOrganizationName } from "../organization/names.ts";
import { parseEmail, parseFullName } from "../users/names.ts";
import type { NewOrganization } from "./create-organization.ts";

const parsers = {
  organization_name: parseOrganizationName,
  full_name: parseFullName,
  email: parseEmail,
  password: parsePassword,
};

export type FieldName = keyof typeof parsers;

/** A filled-in form: the text of each field, and the problems by field. */
export interface FilledForm {
  values: Record<FieldName, string>;
  problems: Partial<Record<FieldName, string>>;
}

const fieldNames = Object.keys(parsers) as FieldName[];
/** A limit on what the page repeats to the browser. It exceeds the limits of all fields. */
const MAX_TEXT = 2000;

export function emptyForm(): FilledForm {
  return { values: { organization_name: "", full_name: "", email: "", password: "" }, problems: {} };
}

/** Reads the body of a request. Any body gives a form, with problems if fields are missing or wrong. */
export function readForm(body: unknown): FilledForm {
  const form = emptyForm();
  const fields = (body ?? {}) as Readonly<Record<string, string | string[] | undefined>>;
  for (const name of fieldNames) {
    const given = fields[name];
    const text =
      given === undefined || (typeof given === "object" && !Array.isArray(given)) ? "" : lastText(given);
    form.values[name] = text.slice(0, MAX_TEXT);
    const problem = problemWith(parsers[name], form.values[name]);
    if (problem !== undefined) form.problems[name] = problem;
  }
  return form;
}

export function isComplete({ problems }: FilledForm): boolean {
  return Object.keys(problems).length === 0;
}

export function toOrganization({ values }: FilledForm, host: string): NewOrganization {
  const { organization_name: name, full_name: fullName, email, password } = values;
  return { name, host, owner: { fullName, email, password } };
}

function problemWith(parse: (text: string) => string, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
