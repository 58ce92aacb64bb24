import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { html, type Page } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import { passkeySignIn } from "./login-page.ts";

export const codeParsers = { code: (text: string) => text } as const;

const hints: Readonly<Record<string, string>> = {
  totp: "The six digits that your authenticator app shows, or a recovery code.",
  recovery_code: "One of your recovery codes.",
};

/** After the right password. `kinds`: what the person can show. */
export function secondStepPage(
  organizationName: string,
  form: FilledForm<"code">,
  { kinds, next, problem }: { kinds: readonly string[]; next: string; problem?: string },
): Page {
  const kind = ["totp", "recovery_code"].find((each) => kinds.includes(each));
  const field: FormField<"code"> = {
    name: "code",
    label: "Code",
    type: "text",
    autocomplete: "one-time-code",
    ...(kind !== undefined && { hint: hints[kind] as string }),
  };
  return {
    title: `${problem === undefined ? "" : "Please check: "}Sign in to ${organizationName} · Parley`,
    style,
    body: html`<main>
<h1>Second step</h1>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${
  kind !== undefined &&
  html`<form method="post" novalidate>
${presentField(field, { values: { code: "" }, problems: form.problems })}
<button type="submit">Sign in</button>
</form>`
}
${kinds.includes("passkey") && passkeySignIn(next)}
<p><a href="/login?next=${encodeURIComponent(next)}">Start again</a></p>
</main>`,
  };
}
