/** What the mails say that people ask for about their own accounts. */
import { html } from "../../platform/http/page.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

interface Letter {
  subject: string;
  paragraphs: readonly string[];
  link?: string;
  end?: string;
}

function toMail({ subject, paragraphs, link, end }: Letter): MailContent {
  const text = [...paragraphs, ...(link === undefined ? [] : [link]), ...(end === undefined ? [] : [end])];
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: html`${paragraphs.map((each) => html`<p>${each}</p>\n`)}${
      link !== undefined && html`<p><a href="${link}">${link}</a></p>\n`
    }${end !== undefined && html`<p>${end}</p>\n`}`,
  };
}

export function passwordMail(organizationName: string, link: string): MailContent {
  return toMail({
    subject: `Set another password for ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants another password for your account in ${organizationName}.`,
      "Open this link to choose one. It works once, for an hour:",
    ],
    link,
    end: "If it was not you, do nothing. Your password stays as it is.",
  });
}

/** For the address that is to become the account's. */
export function emailMail(organizationName: string, link: string): MailContent {
  return toMail({
    subject: `Confirm your email address for ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to use this address for their account in ${organizationName}.`,
      "Open this link to confirm it. It works once, for a day:",
    ],
    link,
    end: "If it was not you, do nothing. Without the link nobody can use this address.",
  });
}

/** For the address that was the account's. */
export function emailChangedMail(organizationName: string, newEmail: string): MailContent {
  return toMail({
    subject: `Your email address in ${organizationName} has changed`,
    paragraphs: [
      `Your account in ${organizationName} has another email address now: ${newEmail}.`,
      "You sign in with that address. Nothing more is sent to this one.",
    ],
    end: "If it was not you, tell an administrator of the organization at once.",
  });
}

export function signUpMail(organizationName: string, link: string): MailContent {
  return toMail({
    subject: `Join ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to join ${organizationName} with this address.`,
      "Open this link to create your account. It works once, for a day:",
    ],
    link,
    end: "If it was not you, do nothing. Without the link nobody can use this address.",
  });
}

/** For an address with which somebody wants to join, and which has an account. */
export function knownMail(organizationName: string, site: string): MailContent {
  return toMail({
    subject: `Your account in ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to join ${organizationName} with this address. It has an account there.`,
      "Sign in with your password, or ask for another one, here:",
    ],
    link: `${site}/login`,
  });
}
