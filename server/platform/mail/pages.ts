import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../db/database.ts";
import { html, type Page, sendPage } from "../http/page.ts";
import { type PageRoute, pageFor } from "../http/page-routes.ts";
import { style } from "../http/page-style.ts";
import { openMail } from "./enqueue.ts";
import type { Mail } from "./mail.ts";
import { findKeptMail, listKeptMails } from "./store.ts";

const MAX_LISTED = 100;

const page = pageFor();

/** The mail that a development server keeps. Anybody can read it, so it is for development alone. */
export function mailPages({ database, keyring }: { database: Database; keyring: Keyring }): PageRoute[] {
  return [
    page(
      { method: "GET", path: "/dev/mail", organization: "any", session: "none" },
      async ({ reply, state }) => {
        const rows = state ? await listKeptMails(database, state.organizationId, MAX_LISTED) : [];
        const mails = rows.map((row) => ({ ...row, mail: openMail(keyring, row.encrypted) }));
        return sendPage(reply, 200, listPage(mails));
      },
    ),
    page(
      { method: "GET", path: "/dev/mail/:id", organization: "any", session: "none" },
      async ({ reply, state, params }) => {
        const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : undefined;
        const encrypted =
          state && id !== undefined ? await findKeptMail(database, state.organizationId, id) : undefined;
        if (!encrypted) return sendPage(reply, 404, missingPage);
        return sendPage(reply, 200, mailPage(openMail(keyring, encrypted)));
      },
    ),
  ];
}

function listPage(mails: readonly { id: number; mail: Mail; keptAt: Date }[]): Page {
  return {
    title: "Mail · Parley",
    style,
    body: html`<main>
<h1>Mail</h1>
<p>This is a development server without SMTP. It keeps its mail here for a week.</p>
${
  mails.length === 0
    ? html`<p>There is none yet.</p>`
    : html`<ul>
${mails.map(
  ({
    id,
    mail,
    keptAt,
  }) => html`<li><a href="/dev/mail/${id}">${mail.subject}</a><br>${mail.to}, ${keptAt.toISOString()}</li>
`,
)}</ul>`
}
</main>`,
  };
}

/** The HTML is shown as text, as a program of mail would get it: nothing in it runs here. */
function mailPage({ to, subject, text, html: markup }: Mail): Page {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  return {
    title: `${subject} · Parley`,
    style,
    body: html`<main>
<p><a href="/dev/mail">All mail</a></p>
<h1>${subject}</h1>
<p>To: ${to}</p>
<pre>${text}</pre>
${links.map((link) => html`<p><a href="${link}">${link}</a></p>`)}
<h2>As HTML</h2>
<pre>${markup}</pre>
</main>`,
  };
}

const missingPage: Page = {
  title: "No such mail · Parley",
  style,
  body: html`<main>
<h1>No such mail</h1>
<p><a href="/dev/mail">All mail</a></p>
</main>`,
};
