import { html } from "../../platform/http/page.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

/** For somebody who wants an organization of their own on this server. */
export function createLinkMail(link: string): MailContent {
  const paragraphs = [
    `Somebody, most likely you, wants to create an organization at ${new URL(link).host}.`,
    "Open this link to name it and to become its owner. It works once, for a day:",
  ];
  const end = "If it was not you, do nothing. Without the link nothing is created.";
  return {
    subject: "Create your organization",
    text: `${[...paragraphs, link, end].join("\n\n")}\n`,
    html: html`${paragraphs.map((each) => html`<p>${each}</p>\n`)}<p><a href="${link}">${link}</a></p>\n<p>${end}</p>`,
  };
}
