/**
 * What a person sees who opens the address of a file in a browser and does not get the file. Programs, and
 * pictures in a page, get the errors of the API.
 */
import type { IncomingMessage } from "node:http";
import { retryAfterOf, writeAnswer } from "./answer.ts";
import { messagePage } from "./message-page.ts";
import { nextPage } from "./next-page.ts";
import type { Operation } from "./operation.ts";
import { type Html, html, type Page, writePage } from "./page.ts";

/** undefined: no person has opened it. `signInPath`: where people sign in. */
export function refuseByPage(
  { headers, url }: IncomingMessage,
  signInPath: string | undefined,
): Operation["refuse"] {
  // Programs accept anything, or JSON. Browsers name HTML first for what they open, pictures for pictures.
  if (!/^\s*text\/html\b/i.test(headers.accept ?? "")) return undefined;
  const signIn = signInPath && `${signInPath}?next=${encodeURIComponent(nextPage(url))}`;
  return (res, error, head) => {
    const { status } = error.declaration;
    const { text, headers } = writePage(pageFor(status, error.message, signIn));
    const { "Content-Type": type, ...others } = headers;
    const retryAfter = retryAfterOf(error);
    const more = [...Object.entries(others).flat(), ...(retryAfter ? ["Retry-After", retryAfter] : [])];
    writeAnswer(res, status, text, head, more, type);
    return true;
  };
}

/** The sentence is the API's, where nothing can be said that helps more. */
function pageFor(status: number, message: string, signIn: string | undefined): Page {
  switch (status) {
    case 401:
      return page(
        "Sign in to see this file",
        html`<p>Files are for people of the organization. If you have an account, you get the file after you sign in.</p>
${signIn && html`<p><a href="${signIn}">Sign in</a></p>`}`,
      );
    case 403:
      return page(
        "You can’t see this file",
        html`<p>It was shared where you can’t read. It may also be that its message was deleted. Whoever gave you the
link can share the file in a conversation that you read.</p>`,
      );
    case 404:
      return page("This file is not here", html`<p>It was deleted, or the link is wrong or too old.</p>`);
    default:
      return page(`Error ${status}`, html`<p>${message}</p>`);
  }
}

function page(heading: string, body: Html): Page {
  return messagePage(heading, html`${body}\n<p><a href="/">To the start page</a></p>`);
}
