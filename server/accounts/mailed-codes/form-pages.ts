/** The pages around links in mail. All are plain HTML, and their forms are posted to their own address. */

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { parseEmail, parseFullName } from "../../people/names.ts";
import { parsePassword } from "../../platform/crypto/passwords.ts";
import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../platform/http/message-page.ts";
import { html, type Page, type PageText } from "../../platform/http/page.ts";
import { text } from "./texts.ts";

export type FieldName = "email" | "full_name" | "password";
export type Form = FilledForm<FieldName>;

const anything = (text: string) => text;
const unread = { email: anything, full_name: anything, password: anything };

const fields: Record<FieldName, FormField<FieldName>> = {
  email: { name: "email", label: commonText("field.ownEmail"), type: "email", autocomplete: "email" },
  full_name: { name: "full_name", label: commonText("field.name"), type: "text", autocomplete: "name" },
  password: {
    name: "password",
    label: commonText("field.newPassword"),
    type: "password",
    autocomplete: "new-password",
    hint: commonText("field.passwordHard", { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
  },
};

/** A page with a form, and what it asks for. */
export interface Step {
  title: (organization: string) => PageText;
  text?: PageText;
  fields: readonly FieldName[];
  parsers: Readonly<Record<FieldName, (text: string) => string>>;
  button: PageText;
}

export const steps = {
  askForReset: {
    title: (organization) => text("reset.title", { organization }),
    text: text("reset.ask"),
    fields: ["email"],
    parsers: { ...unread, email: parseEmail },
    button: commonText("sendLink"),
  },
  reset: {
    title: (organization) => text("reset.title", { organization }),
    fields: ["password"],
    parsers: { ...unread, password: parsePassword },
    button: text("reset.set"),
  },
  confirmEmail: {
    title: (organization) => text("confirm.title", { organization }),
    text: text("confirm.text"),
    fields: [],
    parsers: unread,
    button: text("confirm.button"),
  },
  askToJoin: {
    title: (organization) => commonText("join", { organization }),
    text: text("join.ask"),
    fields: ["email"],
    parsers: { ...unread, email: parseEmail },
    button: commonText("sendLink"),
  },
  join: {
    title: (organization) => commonText("join", { organization }),
    fields: ["full_name", "password"],
    parsers: { ...unread, full_name: parseFullName, password: parsePassword },
    button: commonText("createAccount"),
  },
} satisfies Record<string, Step>;

/** `email` is shown, and can't be changed. */
export function stepPage(
  organizationName: string,
  step: Step,
  form: Form,
  { email, problem }: { email?: string | undefined; problem?: PageText | undefined } = {},
): Page {
  const title = step.title(organizationName);
  const isWrong = problem !== undefined || Object.keys(form.problems).length > 0;
  return messagePage(
    title,
    html`${problemLine(problem)}
${step.text !== undefined && html`<p>${step.text}</p>`}
${email !== undefined && html`<p>${text("email.is", { email: html`<strong>${email}</strong>` })}</p>`}
<form method="post" novalidate>
${step.fields.map((name) => presentField(fields[name], form))}
<button type="submit">${step.button}</button>
</form>`,
    titleOf(title, isWrong),
  );
}

const startLink = html`<a href="/">${text("ended.start.link")}</a>`;
const signInLink = html`<a href="/login">${commonText("signIn")}</a>`;

export const endedPage = messagePage(
  text("ended.heading"),
  html`<p>${text("ended.text")}</p>
<ul>
<li>${text("ended.reset", { link: html`<a href="/reset">${text("ended.reset.link")}</a>` })}</li>
<li>${text("ended.start", { link: startLink })}</li>
</ul>`,
);

export const noMailPage = messagePage(text("noMail.heading"), html`<p>${text("noMail.text")}</p>`);

export const closedPage = messagePage(
  text("closed.heading"),
  html`<p>${text("closed.text", { link: html`<a href="/login">${text("closed.link")}</a>` })}</p>`,
);

export const passwordSetPage = messagePage(
  text("set.heading"),
  html`<p>${text("set.text", { link: signInLink })}</p>
<p>${text("set.others")}</p>`,
);

export const emailSetPage = messagePage(
  text("emailSet.heading"),
  html`<p>${text("emailSet.text", { link: startLink })}</p>`,
);
