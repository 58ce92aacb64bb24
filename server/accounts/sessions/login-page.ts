import type { DemoAccount } from "../../config.ts";
import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageText, scriptTag } from "../../platform/http/page.ts";
import type { organizationHead } from "./organization-head.ts";
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

interface LoginPlace {
  name: string;
  head: ReturnType<typeof organizationHead>;
  providerLinks: Html;
  /** Whom a demo lets in by a press. */
  demoAccounts?: readonly DemoAccount[] | undefined;
}

/** A form of its own for each, which sends what a person would type. */
function demoSignIn(accounts: readonly DemoAccount[]): Html {
  return html`<section class="demo">
<h2>${text("demo.heading")}</h2>
<p>${text("demo.text")}</p>
${accounts.map(
  ({ email, fullName, title, password }) => html`<form method="post">
<input type="hidden" name="username" value="${email}">
<input type="hidden" name="password" value="${password}">
<button type="submit" class="second">${fullName}, ${text(`role.${title}`)}</button>
</form>
`,
)}</section>`;
}

/** The form is posted to its own address, which holds the page to go to. */
export function loginPage(
  { name: organizationName, head, providerLinks, demoAccounts = [] }: LoginPlace,
  form: FilledForm<LoginFieldName>,
  { next, problem }: { next: string; problem?: string | PageText | undefined },
): Page {
  const heading = commonText("signInTo", { organization: organizationName });
  return messagePage(
    heading,
    html`${head.about}${problemLine(problem)}
<form method="post" novalidate>
${fields.map((field) => presentField(field, form))}
<button type="submit">${commonText("signIn")}</button>
</form>
${passkeySignIn(next)}
<p><a href="/reset">${text("forgotten")}</a></p>
${providerLinks}
${demoAccounts.length > 0 && demoSignIn(demoAccounts)}`,
    titleOf(heading, problem !== undefined),
    head.picture,
  );
}

/** What the script says when a passkey is not taken. */
export const passkeyData = html`data-closed="${passkeyTexts.closed}" data-refused="${passkeyTexts.refused}"`;

/** A button that a script shows where the browser has passkeys. Without the script nothing is there. */
export function passkeySignIn(next: string): Html {
  return html`<div id="passkey" data-next="${next}" ${passkeyData} hidden>
<p class="or">${commonText("or")}</p>
<button type="button" class="second">${text("passkey")}</button>
<p class="problem" role="alert"></p>
</div>
${scriptTag("/passkeys.js")}`;
}
