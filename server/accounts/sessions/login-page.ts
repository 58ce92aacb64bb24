import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageText, scriptTag } from "../../platform/http/page.ts";
import { passkeyTexts, text } from "./texts.ts";

export type LoginFieldName = "username" | "password";

/** What is wrong with the account, the form's parsers can't know. */
export const loginParsers: Readonly<Record<LoginFieldName, (text: string) => string>> = {
  username: (text) => text,
  password: (text) => text,
};

const fields: readonly FormField<LoginFieldName>[] = [
  { name: "username", label: commonText("field.email"), type: "email", autocomplete: "username" },
  {
    name: "password",
    label: commonText("field.password"),
    type: "password",
    autocomplete: "current-password",
  },
];

/** The form is posted to its own address, which holds the page to go to. */
export function loginPage(
  { name: organizationName, providerLinks }: { name: string; providerLinks: Html },
  form: FilledForm<LoginFieldName>,
  { next, problem }: { next: string; problem?: string | PageText | undefined },
): Page {
  const heading = commonText("signInTo", { organization: organizationName });
  return messagePage(
    heading,
    html`${problemLine(problem)}
<form method="post" novalidate>
${fields.map((field) => presentField(field, form))}
<button type="submit">${commonText("signIn")}</button>
</form>
${passkeySignIn(next)}
<p><a href="/reset">${text("forgotten")}</a></p>
${providerLinks}`,
    titleOf(heading, problem !== undefined),
  );
}

/** What the script says when a passkey is not taken. */
export const passkeyData = html`data-closed="${passkeyTexts.closed}" data-refused="${passkeyTexts.refused}"`;

/** A button that a script shows where the browser has passkeys. Without the script nothing is there. */
export function passkeySignIn(next: string): Html {
  return html`<div id="passkey" data-next="${next}" ${passkeyData} hidden>
<p>${commonText("or")}</p>
<button type="button" class="second">${text("passkey")}</button>
<p class="problem" role="alert"></p>
</div>
${scriptTag("/passkeys.js")}`;
}
