/** Pages about organizations that have text alone. */
import { messagePage } from "../../platform/http/message-page.ts";
import { type Html, html, type Page, type PageResponse } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import { INVITATION_HOURS } from "./invitations.ts";

export const ended: PageResponse = {
  status: 404,
  page: {
    title: "This link does not work · Parley",
    style,
    body: html`<main>
<h1>This link does not work</h1>
<p>It has been used, is more than ${INVITATION_HOURS} hours old, or was not copied completely.</p>
<ul>
<li>If you have not created an organization yet, restart the server. It then prints a new link.</li>
<li>If you have, the <a href="/">start page</a> shows how to go on.</li>
</ul>
</main>`,
  },
};

export const tooManyRequests: PageResponse = {
  status: 429,
  page: {
    title: "Too many requests · Parley",
    style,
    body: html`<main>
<h1>Too many requests</h1>
<p>Wait a minute, then try again.</p>
</main>`,
  },
};

export const noMail: PageResponse = {
  status: 503,
  page: messagePage(
    "This server can't send mail",
    html`<p>Its operators have to configure mail first. It then sends you a link for your organization.</p>`,
  ),
};

/** After a further organization was created. `site` is its address. */
export function readyPage(name: string, site: string): Page {
  return messagePage(
    `${name} is ready`,
    html`<p>You are its owner. Sign in with your email address and password at its own address:</p>
<p><a href="${site}/login">${site}</a></p>`,
  );
}

/** The page after the form. It shows nothing of what was entered, so it needs no session. */
export function donePage(name: string, address: string): Page {
  return {
    title: `${name} is ready · Parley`,
    style,
    body: html`<main>
<h1>${name} is ready</h1>
<p>The account that you entered is its owner. Clients sign in with its email address and password. Bots and scripts need
its API key, which this command prints:</p>
<pre>npx parley api-key EMAIL</pre>
<p>To add a person:</p>
<pre>npx parley user create EMAIL NAME</pre>
<p>Run these commands on the server, in Parley's folder and with the server's settings.</p>
<p>People open <a href="/">the web client</a>. There are two more ways:</p>
${ways(address)}
</main>`,
  };
}

function ways(address: string): Html {
  return html`<h2>In a terminal</h2>
<p>On the server, in Parley's folder:</p>
<pre>npx parley tail --as EMAIL
npx parley send --as EMAIL general hello "Hello, everyone!"</pre>
<h2>With a client or a bot</h2>
<p>Connect it to this address:</p>
<pre>${address}</pre>
<p>Bots written with zulip-js 2.1.0 run unchanged. The <a href="/api">API</a> page has the quick start.</p>`;
}
