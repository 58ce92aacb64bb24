import type { Html } from "../http/page.ts";

/** What a template makes: a text and the same as HTML. */
export interface MailContent {
  subject: string;
  text: string;
  html: Html;
}

/** What a mail says of itself in headers. */
export interface MailHeaders {
  /** Where one POST, without a sign-in, ends mail of this kind (RFC 8058). */
  unsubscribeUrl?: string;
  /** The same for mails that a program of mail shows together. It has letters, digits, "-" and "_" alone. */
  threadId?: string;
}

/** What a mail is about, for the log. */
export type MailKind =
  | "invitation"
  | "invitation reminder"
  | "confirmation of an address"
  | "account notice"
  | "password reset"
  | "sign-up"
  | "new organization"
  | "sign-in notice"
  | "change of the sign-in"
  | "missed messages"
  | "digest"
  | "welcome";

/** A mail as it is stored and sent. Its headers have no line breaks. */
export interface Mail extends MailHeaders {
  /** Mails that an older release has stored have none. */
  kind?: MailKind;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same at each try, so that a mail that is sent twice can be seen to be one. */
  uniqueId: string;
}

const MAX_SUBJECT_LENGTH = 200;

/** A text that is safe in a header: in one line, without control characters, and not too long. */
export function headerText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  return characters.length > MAX_SUBJECT_LENGTH
    ? `${characters.slice(0, MAX_SUBJECT_LENGTH).join("")}…`
    : line;
}
