import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../../api/errors.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { findRequester } from "../../accounts/sessions/requester.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { Hosts } from "../../platform/http/host.ts";
import { Html, html, type Page, sendPage } from "../../platform/http/page.ts";
import type { Services } from "../../services.ts";
import { acceptedLanguage, findLanguage } from "./language.ts";
import { type HelpLanguage, type HelpPage, helpLanguages, listHelpPages } from "./sources.ts";
import { helpStyle } from "./style.ts";
import { texts } from "./texts.ts";

type Asked = { Params: { name?: string }; Querystring: { language?: string | string[] } };

/** What a page needs of a request. `suffix`: keeps a language that was chosen by hand in links. */
interface Visit {
  language: HelpLanguage;
  suffix: string;
}

/** The help for people, at /help and below. Everyone may read it, so it says nothing of an organization. */
export function registerHelp(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const accountLanguage = async ({ headers }: FastifyRequest<Asked>): Promise<HelpLanguage | undefined> => {
    const { name, origin } = hosts.read(headers.host);
    const state = await services.organizations.byHost(name);
    if (!state) return undefined;
    try {
      const viewer = await findRequester(services, { state, origin }, { headers });
      return viewer && findLanguage(userSettingOf(viewer.user, userSettings.defaultLanguage));
    } catch (error) {
      // A session that has ended is no reason to refuse help.
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
  const visit = async (request: FastifyRequest<Asked>): Promise<Visit> => {
    const chosen = findLanguage([request.query.language].flat()[0]);
    if (chosen) return { language: chosen, suffix: `?language=${chosen}` };
    const own = (await accountLanguage(request)) ?? acceptedLanguage(request.headers["accept-language"]);
    return { language: own ?? "en", suffix: "" };
  };
  const send = (reply: FastifyReply, status: number, page: Page) =>
    sendPage(reply.header("Vary", "Accept-Language, Cookie"), status, page);

  pages.get<Asked>("/help", async (request, reply) => send(reply, 200, indexPage(await visit(request))));
  pages.get<Asked>("/help/", (_request, reply) => reply.redirect("/help", 301));
  pages.get<Asked>("/help/:name", async (request, reply) => {
    const asked = await visit(request);
    const all = listHelpPages(asked.language);
    const at = all.findIndex(({ name }) => name === request.params.name);
    const page = all[at];
    if (!page) return send(reply, 404, missingPage(asked));
    return send(reply, 200, textPage(asked, page, all[at + 1]));
  });
}

function indexPage(visit: Visit): Page {
  const { title, introduction } = texts[visit.language];
  const entries = listHelpPages(visit.language).map(
    (page) => html`<dt>${link(page, visit)}</dt><dd>${new Html(page.summary)}</dd>\n`,
  );
  const body = html`<h1>${title}</h1>\n<p>${introduction}</p>\n<dl>\n${entries}</dl>`;
  return framed(visit, title, body, undefined);
}

function textPage(visit: Visit, page: HelpPage, next: HelpPage | undefined): Page {
  const words = texts[visit.language];
  const text = new Html(withSuffix(page.html, visit.suffix));
  const body = html`<h1>${new Html(page.title)}</h1>
${text}
${next && html`<p class="next">${words.next}: ${link(next, visit)}</p>`}`;
  return framed(visit, `${plain(page.title)} · ${words.title}`, body, page);
}

function missingPage(visit: Visit): Page {
  const { title, missing } = texts[visit.language];
  return framed(visit, title, html`<h1>${title}</h1>\n<p>${missing}</p>`, undefined);
}

function framed(visit: Visit, title: string, body: Html, shown: HelpPage | undefined): Page {
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

function link({ name, title }: HelpPage, { suffix }: Visit, isCurrent = false): Html {
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
