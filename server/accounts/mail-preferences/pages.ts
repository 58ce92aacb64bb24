/**
 * The pages behind the links that end mails. Programs that check mail open links, so opening one changes
 * nothing: a person presses a button, and a mail program sends the POST of RFC 8058. The address is the
 * secret, and no cookie has a part in it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { Hosts } from "../../platform/http/host.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { countWrongCode } from "../sign-in/code-limits.ts";
import { endMails } from "./actions.ts";
import { type MailKind, mailKinds, readUnsubscribeCode } from "./links.ts";

type Linked = { Params: { kind: string; code: string } };

interface Visit {
  state: OrganizationState;
  user: User;
  kind: MailKind;
}

const names: Record<MailKind, string> = {
  "missed-messages": "mails about messages that you missed",
  "sign-in-notices": "mails about sign-ins from new devices",
  welcome: "mails of welcome and news",
  digest: "weekly digests",
};

const FIELD = "List-Unsubscribe";
const VALUE = "One-Click";

export function registerUnsubscribePages(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const visit = async ({ headers, params, ip }: FastifyRequest<Linked>): Promise<Visit | undefined> => {
    const state = await services.organizations.byHost(hosts.read(headers.host).name);
    if (!state) return undefined;
    const kind = mailKinds.find((each) => each === params.kind);
    const userId = kind && readUnsubscribeCode(services.keyring, state, kind, params.code);
    if (!kind || userId === undefined) {
      await countWrongCode(state, ip);
      return undefined;
    }
    await state.catchUp();
    const user = state.get(users).byId.get(userId);
    return user?.isActive && state.get(organization).isActive ? { state, user, kind } : undefined;
  };
  pages.get<Linked>("/unsubscribe/:kind/:code", async (request, reply) => {
    const visited = await visit(request);
    return send(reply, visited ? questionPage(visited) : undefined);
  });
  pages.post<Linked>("/unsubscribe/:kind/:code", async (request, reply) => {
    const visited = await visit(request);
    if (!visited) return send(reply, undefined);
    if (!isOneClick(request.body)) return send(reply, questionPage(visited));
    await endMails(visited.state, visited.user, visited.kind);
    return send(reply, donePage(visited));
  });
}

/** The one field that the form and mail programs send. */
function isOneClick(body: unknown): boolean {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[FIELD];
  return value === VALUE || (Array.isArray(value) && value.at(-1) === VALUE);
}

function send(reply: FastifyReply, page: Page | undefined): FastifyReply {
  // The address has the code, so the browser must not send it to other pages as the referrer.
  reply.header("Referrer-Policy", "no-referrer");
  return sendPage(reply, page ? 200 : 404, page ?? missingPage);
}

function questionPage({ state, kind }: Visit): Page {
  return {
    title: "Get no more mails? · Parley",
    style,
    body: html`<main>
<h1>Get no more mails?</h1>
<p>You get ${names[kind]} from ${state.get(organization).name}.</p>
<form method="post">
<input type="hidden" name="${FIELD}" value="${VALUE}">
<button type="submit">Get no more</button>
</form>
</main>`,
  };
}

function donePage({ state, kind }: Visit): Page {
  return {
    title: "You get no more mails · Parley",
    style,
    body: html`<main>
<h1>Done</h1>
<p>You get no more ${names[kind]} from ${state.get(organization).name}. In your settings you can change that.
Go on to the <a href="/">start page</a>.</p>
</main>`,
  };
}

const missingPage: Page = {
  title: "This link does not work · Parley",
  style,
  body: html`<main>
<h1>This link does not work</h1>
<p>It was not copied completely, or its account is no longer there. In your settings you choose which mails you get.
Go on to the <a href="/">start page</a>.</p>
</main>`,
};
