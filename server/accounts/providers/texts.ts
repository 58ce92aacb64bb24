/** The pages of sign-ins with a provider. */
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { type Html, html, type Page, scriptTag } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";

export type ConnectFieldName = "username" | "password" | "code";

const fields: readonly FormField<ConnectFieldName>[] = [
  { name: "username", label: "Email address", type: "email", autocomplete: "username" },
  { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
];
const codeField: FormField<ConnectFieldName> = {
  name: "code",
  label: "Code",
  type: "text",
  autocomplete: "one-time-code",
  hint: "The six digits that your authenticator app shows, or a recovery code.",
};

/**
 * The form by which somebody shows which account is theirs. It is posted to its own address. `needsCode`: the
 * account has a second step.
 */
export function connectPage(
  {
    organizationName,
    providerName,
    reason,
  }: { organizationName: string; providerName: string; reason: string },
  form: FilledForm<ConnectFieldName>,
  { problem, needsCode = false }: { problem?: string; needsCode?: boolean } = {},
): Page {
  return pageOf(
    `Connect ${providerName} with your account in ${organizationName}`,
    html`<p>${reason}</p>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" novalidate>
${(needsCode ? [...fields, codeField] : fields).map((field) => presentField(field, form))}
<button type="submit">Sign in and connect</button>
</form>
<p><a href="/login">Back to signing in</a></p>`,
  );
}

export function problemPage(title: string, text: string): Page {
  return pageOf(title, html`<p>${text}</p>\n<p><a href="/login">Back to signing in</a></p>`);
}

/** A form's answer can't lead to an app by itself, so there is a link. */
export function openAppPage(address: string): Page {
  return pageOf("You are signed in", html`<p><a href="${address}">Go on in the app</a></p>`);
}

export function desktopCodePage(code: string): Page {
  return pageOf(
    "You are signed in",
    html`<p>Copy this text, and go back to the app. It works once, within five minutes, and in the app alone from which you
came.</p>
<pre id="code" class="wrapped">${code}</pre>
<p>Nobody will ever ask you to send it to them.</p>`,
  );
}

/** What the desktop app shows while its person signs in by their browser. */
export function desktopWaitingPage(providerName: string): Page {
  return pageOf(
    `Sign in with ${providerName}`,
    html`<p>Your browser opens. Sign in there, copy the text that it shows, and come back.</p>
<p id="problem" class="problem" role="alert" hidden>This text does not work. Copy it again, as a whole.</p>
<form>
<div class="field"><label for="code">The text</label><input id="code" type="text" autocomplete="off" required></div>
<button type="submit">Sign in</button>
</form>
${scriptTag("/auth/desktop.js")}`,
  );
}

/** A link must not sign anybody in by itself: it may be to an account of somebody else. */
export function confirmPage({
  organizationName,
  email,
  presentEmail,
}: {
  organizationName: string;
  /** The account to which it leads. */
  email: string;
  /** Who is signed in by now. */
  presentEmail: string | undefined;
}): Page {
  return pageOf(
    `Sign in to ${organizationName}`,
    html`<p>This signs you in to the account <strong>${email}</strong>. Go on only if it is yours, and if you have just asked
for this in the app.</p>
${presentEmail !== undefined && html`<p>You are signed in as <strong>${presentEmail}</strong> here. That ends.</p>`}
<form method="post"><button type="submit">Sign in</button></form>`,
  );
}

function pageOf(heading: string, body: Html): Page {
  return { title: `${heading} · Parley`, style, body: html`<main>\n<h1>${heading}</h1>\n${body}\n</main>` };
}
