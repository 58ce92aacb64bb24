/**
 * What a person sees who opens the address of a file in a browser and does not get the file. Programs, and
 * pictures in a page, get the errors of the API.
 */
import type { IncomingMessage } from "node:http";
import { acceptedLanguage } from "./accepted-language.ts";
import { retryAfterOf, writeAnswer } from "./answer.ts";
import { messagePage } from "./message-page.ts";
import { nextPage } from "./next-page.ts";
import type { Operation } from "./operation.ts";
import { html, type Page, writePage } from "./page.ts";

/** undefined: no person has opened it. `signInPath`: where people sign in. */
export function refuseByPage(
  { headers, url }: IncomingMessage,
  signInPath: string | undefined,
): Operation["refuse"] {
  // Programs accept anything, or JSON. Browsers name HTML first for what they open, pictures for pictures.
  if (!/^\s*text\/html\b/i.test(headers.accept ?? "")) return undefined;
  const language = acceptedLanguage(headers["accept-language"], languages) ?? "en";
  const signIn = signInPath && `${signInPath}?next=${encodeURIComponent(nextPage(url))}`;
  return (res, error, head) => {
    const { status } = error.declaration;
    const { text, headers } = writePage(pageFor(status, error.message, signIn, language));
    const { "Content-Type": type, ...others } = headers;
    const retryAfter = retryAfterOf(error);
    const more = [...Object.entries(others).flat(), ...(retryAfter ? ["Retry-After", retryAfter] : [])];
    writeAnswer(res, status, text, head, more, type);
    return true;
  };
}

interface Words {
  heading: string;
  text: string;
}

interface Texts {
  /** Who has no session, and may have an account. */
  signIn: Words & { action: string };
  forbidden: Words;
  missing: Words;
  /** The text is the API's sentence, where nothing can be said that helps more. */
  error: string;
  start: string;
}

/** Before there is an account, the browser alone says which language somebody reads. */
const texts: Readonly<Record<"en" | "de", Texts>> = {
  en: {
    signIn: {
      heading: "Sign in to see this file",
      text: "Files are for people of the organization. If you have an account, you get the file after you sign in.",
      action: "Sign in",
    },
    forbidden: {
      heading: "You can’t see this file",
      text:
        "It was shared where you can’t read. It may also be that its message was deleted. " +
        "Those who gave you the link can share the file in a conversation that you read.",
    },
    missing: {
      heading: "This file is not here",
      text: "It was deleted, or the link is wrong or too old.",
    },
    error: "Error",
    start: "To the start page",
  },
  de: {
    signIn: {
      heading: "Melde dich an, um diese Datei zu sehen",
      text: "Dateien sind für die Leute der Organisation. Wenn du ein Konto hast, bekommst du sie nach der Anmeldung.",
      action: "Anmelden",
    },
    forbidden: {
      heading: "Du kannst diese Datei nicht sehen",
      text:
        "Sie wurde geteilt, wo du nicht lesen kannst. Vielleicht wurde auch ihre Nachricht gelöscht. " +
        "Wer dir den Link gegeben hat, kann sie in einer Unterhaltung teilen, die du liest.",
    },
    missing: {
      heading: "Diese Datei gibt es hier nicht",
      text: "Sie wurde gelöscht, oder der Link ist falsch oder zu alt.",
    },
    error: "Fehler",
    start: "Zur Startseite",
  },
};

const languages = ["en", "de"] as const;

function pageFor(
  status: number,
  message: string,
  signIn: string | undefined,
  language: (typeof languages)[number],
): Page {
  const own = texts[language];
  const known = { 401: own.signIn, 403: own.forbidden, 404: own.missing }[status];
  const { heading, text } = known ?? { heading: `${own.error} ${status}`, text: message };
  const link = status === 401 && signIn && html`<p><a href="${signIn}">${own.signIn.action}</a></p>\n`;
  const body = html`<p>${text}</p>\n${link}<p><a href="/">${own.start}</a></p>`;
  return { ...messagePage(heading, body), language };
}
