/** The pages on which people set up the second step that their organization requires. */
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { type Html, html, type Page, scriptTag } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import type { TotpSetup } from "./actions.ts";
import { qrCode } from "./qr-code.ts";

const passwordField: FormField<"password"> = {
  name: "password",
  label: "Your password, once more",
  type: "password",
  autocomplete: "current-password",
};
const codeField: FormField<"code"> = {
  name: "code",
  label: "The six digits that the app shows",
  type: "text",
  autocomplete: "one-time-code",
};

function page(title: string, body: Html): Page {
  return { title: `${title} · Parley`, style, body: html`<main>\n${body}\n</main>` };
}

const alert = (problem: string | undefined) =>
  problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`;

/** `needsPassword`: the sign-in is too long ago to count as a proof. A script can't ask for it. */
export function choicePage(
  organizationName: string,
  next: string,
  { needsPassword, problem }: { needsPassword: boolean; problem?: string },
): Page {
  const form: FilledForm<"password"> = { values: { password: "" }, problems: {} };
  return page(
    "Set up a second step",
    html`<div id="ways">
<h1>Set up a second step</h1>
<p>${organizationName} requires a second step of you, beside the password. Set one up to go on.</p>
${alert(problem)}
<form method="post" novalidate>
<input type="hidden" name="action" value="start">
${needsPassword && presentField(passwordField, form)}
<button type="submit">Use an authenticator app</button>
</form>
${
  !needsPassword &&
  html`<div id="new-passkey" hidden>
<p>or</p>
<button type="button" class="second">Use a passkey</button>
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

export function appPage({ secret, uri }: TotpSetup, problem?: string): Page {
  const title = "Set up your authenticator app";
  return page(
    problem === undefined ? title : `Please check: ${title}`,
    html`<h1>${title}</h1>
<p>Let the app read this picture, or <a href="${uri}">open the app</a> on this device.</p>
<p>${qrCode(uri)}</p>
<p>Or type this secret into it:</p>
<pre class="wrapped">${secret.replace(/(.{4})(?=.)/g, "$1 ")}</pre>
${alert(problem)}
<form method="post" novalidate>
<input type="hidden" name="action" value="confirm">
${presentField(codeField, { values: { code: "" }, problems: {} })}
<button type="submit">Confirm</button>
</form>`,
  );
}

export function codesPage(recoveryCodes: readonly string[], next: string): Page {
  return page(
    "Your recovery codes",
    codes(html`<pre class="wrapped">${recoveryCodes.join("\n")}</pre>`, next),
  );
}

function codes(list: Html, next: string): Html {
  return html`<h1 tabindex="-1">Your recovery codes</h1>
<p>Keep these codes in a safe place. Each of them works once in place of your second step, if you lose it. They are not
shown again.</p>
${list}
<p><a href="${next}">Go on</a></p>`;
}
