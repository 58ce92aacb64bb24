/**
 * The pages behind the links that end mails. Programs that check mail open links, so opening one changes
 * nothing: a person presses a button, and a mail program sends the POST of RFC 8058. The address is the
 * secret, and no cookie has a part in it.
 */
import type { FastifyReply } from "fastify";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { style } from "../../platform/http/page-style.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { countWrongCode } from "../sign-in/code-limits.ts";
import { mustHearOfSignIns } from "../sign-in-notices/must-hear.ts";
import { endMails } from "./actions.ts";
import { type MailKind, mailKinds, readUnsubscribeCode } from "./links.ts";

/** Whose mails of which kind a link ends. */
interface Linked {
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

const ofLink = {
  path: "/unsubscribe/:kind/:code",
  organization: "active",
  session: "none",
  // The address has the code, so the browser must not send it to other pages as the referrer.
  referrer: "no-referrer",
  instead: sendMissing,
} as const;

export function unsubscribePages(services: Pick<Services, "keyring" | "mailer">): PageRoute[] {
  const { keyring } = services;
  return [
    page({ method: "GET", ...ofLink }, async (visit) => {
      const linked = await readLink(keyring, visit);
      return linked ? sendPage(visit.reply, 200, questionPage(linked)) : sendMissing(visit.reply);
    }),
    page({ method: "POST", origin: "secret address", ...ofLink }, async (visit) => {
      const { reply, request } = visit;
      const linked = await readLink(keyring, visit);
      if (!linked) return sendMissing(reply);
      if (!isOneClick(request.body)) return sendPage(reply, 200, questionPage(linked));
      await endMails(services, linked.state, linked.user, linked.kind);
      return sendPage(reply, 200, donePage(linked));
    }),
  ];
}

/** undefined: the link was not copied completely, or the account is no longer there. */
async function readLink(
  keyring: Keyring,
  { state, params, request }: Visit<"active", "none", typeof ofLink.path>,
): Promise<Linked | undefined> {
  const kind = mailKinds.find((each) => each === params.kind);
  const userId = kind && readUnsubscribeCode(keyring, state, kind, params.code);
  if (!kind || userId === undefined) {
    await countWrongCode(state, request.ip);
    return undefined;
  }
  const user = state.get(users).byId.get(userId);
  // A link of the time before they had their role.
  const isNeeded = kind === "sign-in-notices" && user !== undefined && mustHearOfSignIns(user);
  return user?.isActive && !isNeeded ? { state, user, kind } : undefined;
}

/** The one field that the form and mail programs send. */
function isOneClick(body: unknown): boolean {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[FIELD];
  return value === VALUE || (Array.isArray(value) && value.at(-1) === VALUE);
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, missingPage);
}

function questionPage({ state, kind }: Linked): Page {
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

function donePage({ state, kind }: Linked): Page {
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
<p>It was not copied completely, its account is no longer there, or these mails can't be switched off. In your settings you choose which mails you get.
Go on to the <a href="/">start page</a>.</p>
</main>`,
};
