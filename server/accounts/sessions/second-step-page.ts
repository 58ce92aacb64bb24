import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../platform/http/message-page.ts";
import { html, type Page, type PageText } from "../../platform/http/page.ts";
import { passkeySignIn } from "./login-page.ts";
import { text } from "./texts.ts";

export const codeParsers = { code: (text: string) => text } as const;

const hints: Readonly<Record<string, PageText>> = {
  totp: commonText("field.codeOfApp"),
  recovery_code: commonText("field.recoveryCode"),
};

/** After the right password. `kinds`: what the person can show. */
export function secondStepPage(
  organizationName: string,
  form: FilledForm<"code">,
  { kinds, next, problem }: { kinds: readonly string[]; next: string; problem?: string | PageText },
): Page {
  const kind = ["totp", "recovery_code"].find((each) => kinds.includes(each));
  const field: FormField<"code"> = {
    name: "code",
    label: commonText("field.code"),
    type: "text",
    autocomplete: "one-time-code",
    ...(kind !== undefined && { hint: hints[kind] as PageText }),
  };
  const title = commonText("signInTo", { organization: organizationName });
  return messagePage(
    text("secondStep"),
    html`${problemLine(problem)}
${
  kind !== undefined &&
  html`<form method="post" novalidate>
${presentField(field, { values: { code: "" }, problems: form.problems })}
<button type="submit">${commonText("signIn")}</button>
</form>`
}
${kinds.includes("passkey") && passkeySignIn(next)}
<p><a href="/login?next=${encodeURIComponent(next)}">${text("startAgain")}</a></p>`,
    titleOf(title, problem !== undefined),
  );
}
