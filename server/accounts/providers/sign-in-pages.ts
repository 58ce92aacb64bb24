/** The pages of sign-ins with a provider. */
import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine } from "../../platform/http/message-page.ts";
import { html, type Page, type PageText, scriptTag } from "../../platform/http/page.ts";
import { text } from "./texts.ts";

export type ConnectFieldName = "username" | "password" | "code";

const fields: readonly FormField<ConnectFieldName>[] = [
  { name: "username", label: commonText("field.email"), type: "email", autocomplete: "username" },
  {
    name: "password",
    label: commonText("field.password"),
    type: "password",
    autocomplete: "current-password",
  },
];
const codeField: FormField<ConnectFieldName> = {
  name: "code",
  label: commonText("field.code"),
  type: "text",
  autocomplete: "one-time-code",
  hint: commonText("field.codeOfApp"),
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
  { problem, needsCode = false }: { problem?: PageText; needsCode?: boolean } = {},
): Page {
  return messagePage(
    text("connect.heading", { provider: providerName, organization: organizationName }),
    html`<p>${reason}</p>
${problemLine(problem)}
<form method="post" novalidate>
${(needsCode ? [...fields, codeField] : fields).map((field) => presentField(field, form))}
<button type="submit">${text("connect.button")}</button>
</form>
<p><a href="/login">${text("back")}</a></p>`,
  );
}

export function problemPage(heading: PageText, why: PageText): Page {
  return messagePage(heading, html`<p>${why}</p>\n<p><a href="/login">${text("back")}</a></p>`);
}

/** A form's answer can't lead to an app by itself, so there is a link. */
export function openAppPage(address: string): Page {
  return messagePage(text("in.heading"), html`<p><a href="${address}">${text("in.goOn")}</a></p>`);
}

export function desktopCodePage(code: string): Page {
  return messagePage(
    text("in.heading"),
    html`<p>${text("in.copy")}</p>
<pre id="code" class="wrapped">${code}</pre>
<p>${text("in.secret")}</p>`,
  );
}

/** What the desktop app shows while its person signs in by their browser. */
export function desktopWaitingPage(providerName: string): Page {
  return messagePage(
    text("wait.heading", { provider: providerName }),
    html`<p>${text("wait.text")}</p>
<p id="problem" class="problem" role="alert" hidden>${text("wait.wrong")}</p>
<form>
<div class="field"><label for="code">${text("wait.field")}</label><input id="code" type="text" autocomplete="off" required></div>
<button type="submit">${commonText("signIn")}</button>
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
  return messagePage(
    commonText("signInTo", { organization: organizationName }),
    html`<p>${text("confirm.text", { email: html`<strong>${email}</strong>` })}</p>
${presentEmail !== undefined && html`<p>${text("confirm.present", { email: html`<strong>${presentEmail}</strong>` })}</p>`}
<form method="post"><button type="submit">${commonText("signIn")}</button></form>`,
  );
}
