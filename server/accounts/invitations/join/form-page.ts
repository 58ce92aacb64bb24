import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../../api/limits.ts";
import { parseEmail, parseFullName } from "../../../people/names.ts";
import { parsePassword } from "../../../platform/crypto/passwords.ts";
import { type FilledForm, type FormField, presentField } from "../../../platform/http/form-fields.ts";
import { type Html, html, type Page } from "../../../platform/http/page.ts";
import { style } from "../../../platform/http/page-style.ts";

export type JoinFieldName = "email" | "full_name" | "password";
export type JoinForm = FilledForm<JoinFieldName>;

/** What the form asks for: all of it, all but the address, or the address alone, to confirm it by mail. */
export type JoinStep = "all" | "invited address" | "confirm address";

const anything = (text: string) => text;
const account = { full_name: parseFullName, password: parsePassword };

export const parsersOf: Record<JoinStep, Record<JoinFieldName, (text: string) => string>> = {
  all: { ...account, email: parseEmail },
  "invited address": { ...account, email: anything },
  "confirm address": { email: parseEmail, full_name: anything, password: anything },
};

const email: FormField<JoinFieldName> = {
  name: "email",
  label: "Your email address",
  type: "email",
  autocomplete: "email",
};
const rest: readonly FormField<JoinFieldName>[] = [
  { name: "full_name", label: "Your name", type: "text", autocomplete: "name" },
  {
    name: "password",
    label: "A password for you",
    type: "password",
    autocomplete: "new-password",
    hint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  },
];

const fieldsOf: Record<JoinStep, readonly FormField<JoinFieldName>[]> = {
  all: [email, ...rest],
  "invited address": [{ ...email, isFixed: true }, ...rest],
  "confirm address": [{ ...email, hint: "You get a mail with a link to go on." }],
};

/** The form behind an invitation's link. It is posted to its own address, and needs no script. */
export function joinPage(
  { name: organizationName, providerLinks }: { name: string; providerLinks: Html },
  step: JoinStep,
  form: JoinForm,
  problem?: string,
): Page {
  const isWrong = problem !== undefined || Object.keys(form.problems).length > 0;
  return {
    title: `${isWrong ? "Please check: join" : "Join"} ${organizationName} · Parley`,
    style,
    body: html`<main>
<h1>Join ${organizationName}</h1>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" novalidate>
${fieldsOf[step].map((field) => presentField(field, form))}
<button type="submit">${step === "confirm address" ? "Send me a link" : "Create account"}</button>
</form>
${providerLinks}
</main>`,
  };
}
