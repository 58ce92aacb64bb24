import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { html, type Page } from "../../platform/http/page.ts";
import type { FieldName, FilledForm } from "./form.ts";
import { style } from "./style.ts";

interface Field {
  name: FieldName;
  label: string;
  type: "text" | "email" | "password";
  autocomplete: string;
  hint?: string;
}

const fields: readonly Field[] = [
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
export function formPage(form: FilledForm, problem?: string): Page {
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

function presentField({ name, label, type, autocomplete, hint }: Field, { values, problems }: FilledForm) {
  const problem = problems[name];
  const noteId = `${name}-note`;
  const note = problem ?? hint;
  // A password is never sent back to the browser.
  const value = type === "password" ? "" : values[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required${
    problem !== undefined && html` aria-invalid="true"`
  }${note !== undefined && html` aria-describedby="${noteId}"`}>
${note !== undefined && html`<p id="${noteId}" class="${problem === undefined ? "hint" : "problem"}">${note}</p>`}
</div>
`;
}
