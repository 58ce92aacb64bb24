/** Pages about organizations that have text alone. */
import { messagePage } from "../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageResponse } from "../../platform/http/page.ts";
import { INVITATION_HOURS } from "./invitations.ts";
import { text } from "./texts.ts";

const startLink = html`<a href="/">${text("startPage")}</a>`;
const apiLink = html`<a href="/api">API</a>`;

export const ended: PageResponse = {
  status: 404,
  page: messagePage(
    text("ended.heading"),
    html`<p>${text("ended.text", { hours: INVITATION_HOURS })}</p>
<ul>
<li>${text("ended.again")}</li>
<li>${text("ended.start", { link: startLink })}</li>
</ul>`,
  ),
};

export const tooManyRequests: PageResponse = {
  status: 429,
  page: messagePage(text("many.heading"), html`<p>${text("many.text")}</p>`),
};

export const noMail: PageResponse = {
  status: 503,
  page: messagePage(text("noMail.heading"), html`<p>${text("noMail.text")}</p>`),
};

/** At an address without an organization. */
export function emptyStartPage(isOpen: boolean, isFirst: boolean): Page {
  const link = html`<a href="/new">${text("empty.open.link")}</a>`;
  const why = isOpen ? text("empty.open", { link }) : text(isFirst ? "empty.first" : "empty.log");
  return {
    ...messagePage(
      "Parley",
      html`<p>${text("empty.what")}</p>
<p>${why}</p>
<p>${text("empty.api", { link: apiLink })}</p>`,
    ),
    title: "Parley",
  };
}

export function deactivatedPage(organizationName: string): Page {
  return messagePage(
    organizationName,
    html`<p>${text("over.text")}</p>
<p>${text("over.again")}</p>`,
  );
}

/** After a further organization was created. `site` is its address. */
export function readyPage(organizationName: string, site: string): Page {
  return messagePage(
    text("ready.heading", { organization: organizationName }),
    html`<p>${text("ready.text")}</p>
<p><a href="${site}/login">${site}</a></p>`,
  );
}

/** The page after the form. It shows nothing of what was entered, so it needs no session. */
export function donePage(organizationName: string, address: string): Page {
  const link = html`<a href="/">${text("done.client.link")}</a>`;
  return messagePage(
    text("ready.heading", { organization: organizationName }),
    html`<p>${text("done.owner")}</p>
<pre>npx parley api-key EMAIL</pre>
<p>${text("done.person")}</p>
<pre>npx parley user create EMAIL NAME</pre>
<p>${text("done.where")}</p>
<p>${text("done.client", { link })}</p>
${ways(address)}`,
  );
}

function ways(address: string): Html {
  return html`<h2>${text("done.terminal")}</h2>
<p>${text("done.terminal.text")}</p>
<pre>npx parley tail --as EMAIL
npx parley send --as EMAIL general hello "Hello, everyone!"</pre>
<h2>${text("done.bot")}</h2>
<p>${text("done.bot.text")}</p>
<pre>${address}</pre>
<p>${text("done.bot.more", { link: apiLink })}</p>`;
}
