import { commonText } from "./common-texts.ts";
import { type Html, html, type Page, type PageText } from "./page.ts";
import { style } from "./page-style.ts";

type Heading = string | Html | PageText;

/** A page of the server's own: a heading, and what there is to say or to fill in. `above`: the heading. */
export function messagePage(heading: Heading, body: Html, title = heading, above?: Html): Page {
  return {
    title: html`${title} · Parley`,
    style,
    body: html`<main>
${above}<h1>${heading}</h1>
${body}
</main>`,
  };
}

/** The title says that something is wrong, since a screen reader reads it first. */
export function titleOf(heading: Heading, isWrong: boolean): Heading {
  return isWrong ? commonText("pleaseCheck", { heading: html`${heading}` }) : heading;
}

/** What is wrong with the form as a whole. */
export function problemLine(problem: string | PageText | undefined): Html | false {
  return problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`;
}

export const sentPage = messagePage(commonText("sent.heading"), html`<p>${commonText("sent.text")}</p>`);
