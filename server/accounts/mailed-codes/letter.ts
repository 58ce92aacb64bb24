import { html } from "../../platform/http/page.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

/**
 * What a mail says that somebody asked for: sentences, a link by itself, and what to do if it was somebody
 * else.
 */
export interface Letter {
  subject: string;
  paragraphs: readonly string[];
  link?: string;
  end?: string;
}

export function letterMail({ subject, paragraphs, link, end }: Letter): MailContent {
  const text = [...paragraphs, ...(link === undefined ? [] : [link]), ...(end === undefined ? [] : [end])];
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: html`${paragraphs.map((each) => html`<p>${each}</p>\n`)}${
      link !== undefined && html`<p><a href="${link}">${link}</a></p>\n`
    }${end !== undefined && html`<p>${end}</p>\n`}`,
  };
}
