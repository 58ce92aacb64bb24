/** The pages around links in mail. All are plain HTML, and their forms are posted to their own address. */

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { parseEmail, parseFullName } from "../../people/names.ts";
import { parsePassword } from "../../platform/crypto/passwords.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage } from "../../platform/http/message-page.ts";
import { html, type Page } from "../../platform/http/page.ts";

export type FieldName = "email" | "full_name" | "password";
export type Form = FilledForm<FieldName>;

const anything = (text: string) => text;
const unread = { email: anything, full_name: anything, password: anything };

const fields: Record<FieldName, FormField<FieldName>> = {
  email: { name: "email", label: "Your email address", type: "email", autocomplete: "email" },
  full_name: { name: "full_name", label: "Your name", type: "text", autocomplete: "name" },
  password: {
    name: "password",
    label: "A new password",
    type: "password",
    autocomplete: "new-password",
    hint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters that are hard to guess.`,
  },
};

/** A page with a form, and what it asks for. */
export interface Step {
  title: (organizationName: string) => string;
  text?: string;
  fields: readonly FieldName[];
  parsers: Readonly<Record<FieldName, (text: string) => string>>;
  button: string;
}

export const steps = {
  askForReset: {
    title: (name) => `Another password for ${name}`,
    text: "You get a mail with a link by which you choose another password.",
    fields: ["email"],
    parsers: { ...unread, email: parseEmail },
    button: "Send me a link",
  },
  reset: {
    title: (name) => `Another password for ${name}`,
    fields: ["password"],
    parsers: { ...unread, password: parsePassword },
    button: "Set password",
  },
  confirmEmail: {
    title: (name) => `Your email address for ${name}`,
    text: "From then on you sign in with this address, and get mail here.",
    fields: [],
    parsers: unread,
    button: "Use this address",
  },
  askToJoin: {
    title: (name) => `Join ${name}`,
    text: "You get a mail with a link by which you create your account.",
    fields: ["email"],
    parsers: { ...unread, email: parseEmail },
    button: "Send me a link",
  },
  join: {
    title: (name) => `Join ${name}`,
    fields: ["full_name", "password"],
    parsers: { ...unread, full_name: parseFullName, password: parsePassword },
    button: "Create account",
  },
} satisfies Record<string, Step>;

/** `email` is shown, and can't be changed. */
export function stepPage(
  organizationName: string,
  step: Step,
  form: Form,
  { email, problem }: { email?: string | undefined; problem?: string | undefined } = {},
): Page {
  const title = step.title(organizationName);
  const isWrong = problem !== undefined || Object.keys(form.problems).length > 0;
  return messagePage(
    title,
    html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${step.text !== undefined && html`<p>${step.text}</p>`}
${email !== undefined && html`<p>Email address: <strong>${email}</strong></p>`}
<form method="post" novalidate>
${step.fields.map((name) => presentField(fields[name], form))}
<button type="submit">${step.button}</button>
</form>`,
    isWrong ? `Please check: ${title}` : title,
  );
}

export const endedPage = messagePage(
  "This link does not work",
  html`<p>It was used, has expired, or was not copied completely.</p>
<ul>
<li>For another password, <a href="/reset">ask for a new link</a>.</li>
<li>Otherwise go to the <a href="/">start page</a>.</li>
</ul>`,
);

export const noMailPage = messagePage(
  "This server can't send mail",
  html`<p>Ask an administrator of your organization for another password.</p>`,
);

export const closedPage = messagePage(
  "You need an invitation to join",
  html`<p>Ask somebody in the organization to invite you. If you have an account, <a href="/login">sign in</a>.</p>`,
);

export const passwordSetPage = messagePage(
  "Your password is set",
  html`<p>All browsers were signed out. <a href="/login">Sign in</a> with the new password. Programs that had your API key
need the new one: sign in there again.</p>
<p>Was somebody else in? Passkeys, bots and accounts at providers that they may have added are still there. Remove
in your settings what is not yours.</p>`,
);

export const emailSetPage = messagePage(
  "Your email address is confirmed",
  html`<p>From now on you sign in with this address. Go on to the <a href="/">start page</a>.</p>`,
);
