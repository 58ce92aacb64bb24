/** The pages on which people set up the second step that their organization requires. */
import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { problemLine, titleOf } from "../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageText, scriptTag } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import { passkeyData } from "../sessions/login-page.ts";
import type { TotpSetup } from "./actions.ts";
import { qrCode } from "./qr-code.ts";
import { text } from "./texts.ts";

const passwordField: FormField<"password"> = {
  name: "password",
  label: text("passwordAgain"),
  type: "password",
  autocomplete: "current-password",
};
const codeField: FormField<"code"> = {
  name: "code",
  label: text("codeOfApp"),
  type: "text",
  autocomplete: "one-time-code",
};

function page(title: Page["title"], body: Html): Page {
  return { title: html`${title} · Parley`, style, body: html`<main>\n${body}\n</main>` };
}

/** `needsPassword`: the sign-in is too long ago to count as a proof. A script can't ask for it. */
export function choicePage(
  organizationName: string,
  next: string,
  { needsPassword, problem }: { needsPassword: boolean; problem?: PageText },
): Page {
  const form: FilledForm<"password"> = { values: { password: "" }, problems: {} };
  return page(
    text("setUp"),
    html`<div id="ways">
<h1>${text("setUp")}</h1>
<p>${text("required", { organization: organizationName })}</p>
${problemLine(problem)}
<form method="post" novalidate>
<input type="hidden" name="action" value="start">
${needsPassword && presentField(passwordField, form)}
<button type="submit">${text("useApp")}</button>
</form>
${
  !needsPassword &&
  html`<div id="new-passkey" ${passkeyData} hidden>
<p class="or">${commonText("or")}</p>
<button type="button" class="second">${text("usePasskey")}</button>
<p class="problem" role="alert"></p>
</div>`
}
</div>
<div id="recovery-codes" hidden>
${codes(html`<pre class="wrapped"></pre>`, next)}
</div>
${scriptTag("/passkeys.js")}`,
  );
}

export function appPage({ secret, uri }: TotpSetup, problem?: PageText): Page {
  const title = text("app.heading");
  const link = html`<a href="${uri}">${text("app.open")}</a>`;
  return page(
    titleOf(title, problem !== undefined),
    html`<h1>${title}</h1>
<p>${text("app.picture", { link })}</p>
<p>${qrCode(uri)}</p>
<p>${text("app.secret")}</p>
<pre class="wrapped">${secret.replace(/(.{4})(?=.)/g, "$1 ")}</pre>
${problemLine(problem)}
<form method="post" novalidate>
<input type="hidden" name="action" value="confirm">
${presentField(codeField, { values: { code: "" }, problems: {} })}
<button type="submit">${text("confirm")}</button>
</form>`,
  );
}

export function codesPage(recoveryCodes: readonly string[], next: string): Page {
  return page(
    text("codes.heading"),
    codes(html`<pre class="wrapped">${recoveryCodes.join("\n")}</pre>`, next),
  );
}

function codes(list: Html, next: string): Html {
  return html`<h1 tabindex="-1">${text("codes.heading")}</h1>
<p>${text("codes.text")}</p>
${list}
<p><a href="${next}">${text("goOn")}</a></p>`;
}
