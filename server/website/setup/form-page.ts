import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { html, type Page } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import type { FieldName } from "./form.ts";

/** Where the organization that the form creates belongs. */
export interface Place {
  /** The host name below which it gets a name of its own; undefined for the first organization. */
  parentHost?: string | undefined;
}

const fieldsOf = ({ parentHost }: Place): readonly FormField<FieldName>[] => [
  {
    name: "organization_name",
    label: "Name of the organization",
    type: "text",
    autocomplete: "organization",
  },
  ...(parentHost === undefined
    ? []
    : [
        {
          name: "subdomain" as const,
          label: "Its address",
          type: "text" as const,
          autocomplete: "off",
          hint: `It comes before .${parentHost}: 3 to 40 letters, digits and hyphens.`,
        },
      ]),
  { name: "full_name", label: "Your name", type: "text", autocomplete: "name" },
  {
    name: "email",
    label: "Your email address",
    type: "email",
    autocomplete: "email",
    isFixed: parentHost !== undefined,
  },
  {
    name: "password",
    label: "A password for you",
    type: "password",
    autocomplete: "new-password",
    hint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  },
];

/** The form that creates an organization. It is posted to its own address, and needs no script. */
export function formPage(form: FilledForm<FieldName>, place: Place, problem?: string): Page {
  const count = Object.keys(form.problems).length;
  return {
    title:
      count > 0 || problem
        ? "Please check: create your organization · Parley"
        : "Create your organization · Parley",
    style,
    body: html`<main>
<h1>Create your organization</h1>
<p>You will be its owner. You can change everything later.</p>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" novalidate>
${fieldsOf(place).map((field) => presentField(field, form))}
<button type="submit">Create organization</button>
</form>
</main>`,
  };
}
