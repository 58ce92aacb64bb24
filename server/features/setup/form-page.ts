import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { html, type Page } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import type { FieldName } from "./form.ts";

const fields: readonly FormField<FieldName>[] = [
  {
    name: "organization_name",
    label: "Name of the organization",
    type: "text",
    autocomplete: "organization",
  },
  { name: "full_name", label: "Your name", type: "text", autocomplete: "name" },
  { name: "email", label: "Your email address", type: "email", autocomplete: "email" },
  {
    name: "password",
    label: "A password for you",
    type: "password",
    autocomplete: "new-password",
    hint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  },
];

/** The form that creates an organization. It is posted to its own address, and needs no script. */
export function formPage(form: FilledForm<FieldName>, problem?: string): Page {
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
${fields.map((field) => presentField(field, form))}
<button type="submit">Create organization</button>
</form>
</main>`,
  };
}
