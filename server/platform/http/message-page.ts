import { type Html, html, type Page } from "./page.ts";
import { style } from "./page-style.ts";

/** A page of the server's own: a heading, and what there is to say or to fill in. */
export function messagePage(heading: string, body: Html, title = heading): Page {
  return {
    title: `${title} · Parley`,
    style,
    body: html`<main>
<h1>${heading}</h1>
${body}
</main>`,
  };
}

export const sentPage = messagePage(
  "Look into your mail",
  html`<p>You get a mail with a link. If it does not come within some minutes, look into the folder for unwanted mail, and
check the address that you gave.</p>`,
);
