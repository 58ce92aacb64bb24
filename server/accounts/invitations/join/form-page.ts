import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../../api/limits.ts";
import { parseEmail, parseFullName } from "../../../people/names.ts";
import { parsePassword } from "../../../platform/crypto/passwords.ts";
import { commonText } from "../../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageText } from "../../../platform/http/page.ts";
import type { organizationHead } from "../../sessions/organization-head.ts";
import { text } from "./texts.ts";

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
  label: commonText("field.ownEmail"),
  type: "email",
  autocomplete: "email",
};
const rest: readonly FormField<JoinFieldName>[] = [
  { name: "full_name", label: commonText("field.name"), type: "text", autocomplete: "name" },
  {
    name: "password",
    label: commonText("field.firstPassword"),
    type: "password",
    autocomplete: "new-password",
    hint: commonText("field.passwordLength", { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
  },
];

const fieldsOf: Record<JoinStep, readonly FormField<JoinFieldName>[]> = {
  all: [email, ...rest],
  "invited address": [{ ...email, isFixed: true }, ...rest],
  "confirm address": [{ ...email, hint: text("linkFollows") }],
};

interface JoinPlace {
  name: string;
  head: ReturnType<typeof organizationHead>;
  providerLinks: Html;
}

/** The form behind an invitation's link. It is posted to its own address, and needs no script. */
export function joinPage(
  { name: organizationName, head, providerLinks }: JoinPlace,
  step: JoinStep,
  form: JoinForm,
  problem?: PageText,
): Page {
  const isWrong = problem !== undefined || Object.keys(form.problems).length > 0;
  const heading = commonText("join", { organization: organizationName });
  return messagePage(
    heading,
    html`${head.about}${problemLine(problem)}
<form method="post" novalidate>
${fieldsOf[step].map((field) => presentField(field, form))}
<button type="submit">${commonText(step === "confirm address" ? "sendLink" : "createAccount")}</button>
</form>
${providerLinks}`,
    titleOf(heading, isWrong),
    head.picture,
  );
}
