import type { FastifyReply } from "fastify";
import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { Html, html, type Page, sendPage } from "../../platform/http/page.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { acceptedLanguage, findLanguage } from "./language.ts";
import { type HelpLanguage, type HelpPage, helpLanguages, listHelpPages } from "./sources.ts";
import { helpStyle } from "./style.ts";
import { texts } from "./texts.ts";

/** What the reader chose. `suffix`: keeps a language that was chosen by hand in links. */
interface HelpRequest {
  language: HelpLanguage;
  suffix: string;
}

const forAll = { organization: "any", session: "if any" } as const;

/** The help for people, at /help and below. Everyone may read it, so it says nothing of an organization. */
export const helpPages: readonly PageRoute[] = [
  page({ method: "GET", path: "/help", ...forAll }, (visit) =>
    send(visit.reply, 200, indexPage(requestOf(visit))),
  ),
  publicFile("/help/", ({ reply }) => reply.redirect("/help", 301)),
  page({ method: "GET", path: "/help/:name", ...forAll }, (visit) => {
    const { reply, params } = visit;
    const wanted = requestOf(visit);
    const all = listHelpPages(wanted.language);
    const at = all.findIndex(({ name }) => name === params.name);
    const found = all[at];
    if (!found) return send(reply, 404, missingPage(wanted));
    return send(reply, 200, textPage(wanted, found, all[at + 1]));
  }),
];

/** The language that was chosen by hand, or else the account's, or else the browser's. */
function requestOf({ query, viewer, request: { headers } }: Visit<"any", "if any">): HelpRequest {
  const given = [query.language].flat()[0];
  const chosen = typeof given === "string" ? findLanguage(given) : undefined;
  if (chosen) return { language: chosen, suffix: `?language=${chosen}` };
  const own = viewer && findLanguage(userSettingOf(viewer.user, userSettings.defaultLanguage));
  return { language: own ?? acceptedLanguage(headers["accept-language"]) ?? "en", suffix: "" };
}

function send(reply: FastifyReply, status: number, shown: Page): FastifyReply {
  return sendPage(reply.header("Vary", "Accept-Language, Cookie"), status, shown);
}

function indexPage(visit: HelpRequest): Page {
  const { title, introduction } = texts[visit.language];
  const entries = listHelpPages(visit.language).map(
    (page) => html`<dt>${link(page, visit)}</dt><dd>${new Html(page.summary)}</dd>\n`,
  );
  const body = html`<h1>${title}</h1>\n<p>${introduction}</p>\n<dl>\n${entries}</dl>`;
  return framed(visit, title, body, undefined);
}

function textPage(visit: HelpRequest, page: HelpPage, next: HelpPage | undefined): Page {
  const words = texts[visit.language];
  const text = new Html(withSuffix(page.html, visit.suffix));
  const body = html`<h1>${new Html(page.title)}</h1>
${text}
${next && html`<p class="next">${words.next}: ${link(next, visit)}</p>`}`;
  return framed(visit, `${plain(page.title)} · ${words.title}`, body, page);
}

function missingPage(visit: HelpRequest): Page {
  const { title, missing } = texts[visit.language];
  return framed(visit, title, html`<h1>${title}</h1>\n<p>${missing}</p>`, undefined);
}

function framed(visit: HelpRequest, title: string, body: Html, shown: HelpPage | undefined): Page {
  const { language, suffix } = visit;
  const words = texts[language];
  const path = shown ? `/help/${shown.name}` : "/help";
  const others = helpLanguages.filter((one) => one !== language);
  const entries = listHelpPages(language).map(
    (page) => html`<li>${link(page, visit, page === shown)}</li>\n`,
  );
  return {
    title: `${title} · Parley`,
    style: helpStyle,
    language,
    body: html`<div class="help">
<header>
<strong><a href="/help${suffix}"><img src="/logo.svg" alt="" width="24" height="24"> ${words.title}</a></strong>
<a href="/">${words.back}</a>
<p>${others.map((one) => html`<a href="${path}?language=${one}" lang="${one}" hreflang="${one}">${texts[one].name}</a>`)}</p>
</header>
<nav aria-label="${words.pages}">
<ul>
${entries}</ul>
</nav>
<main>
${body}
</main>
</div>`,
  };
}

function link({ name, title }: HelpPage, { suffix }: HelpRequest, isCurrent = false): Html {
  const current = isCurrent && new Html(' aria-current="page"');
  return html`<a href="/help/${name}${suffix}"${current}>${new Html(title)}</a>`;
}

function withSuffix(text: string, suffix: string): string {
  return suffix === ""
    ? text
    : text.replace(/href="(\/help(?:\/[a-z-]+)?)(#[^"]*)?"/g, `href="$1${suffix}$2"`);
}

/** Titles are rendered, so they may hold entities. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
