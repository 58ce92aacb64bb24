import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { type Html, html, type Page, scriptTag } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";

export type LoginFieldName = "username" | "password";

/** What is wrong with the account, the form's parsers can't know. */
export const loginParsers: Readonly<Record<LoginFieldName, (text: string) => string>> = {
  username: (text) => text,
  password: (text) => text,
};

const fields: readonly FormField<LoginFieldName>[] = [
  { name: "username", label: "Email address", type: "email", autocomplete: "username" },
  { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
];

/** The form is posted to its own address, which holds the page to go to. */
export function loginPage(
  { name: organizationName, providerLinks }: { name: string; providerLinks: Html },
  form: FilledForm<LoginFieldName>,
  { next, problem }: { next: string; problem?: string | undefined },
): Page {
  return {
    title: `${problem === undefined ? "" : "Please check: "}Sign in to ${organizationName} · Parley`,
    style,
    body: html`<main>
<h1>Sign in to ${organizationName}</h1>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" novalidate>
${fields.map((field) => presentField(field, form))}
<button type="submit">Sign in</button>
</form>
${passkeySignIn(next)}
<p><a href="/reset">Forgot your password?</a></p>
${providerLinks}
</main>`,
  };
}

/** A button that a script shows where the browser has passkeys. Without the script nothing is there. */
export function passkeySignIn(next: string): Html {
  return html`<div id="passkey" data-next="${next}" hidden>
<p>or</p>
<button type="button" class="second">Sign in with a passkey</button>
<p class="problem" role="alert"></p>
</div>
${scriptTag("/passkeys.js")}`;
}
