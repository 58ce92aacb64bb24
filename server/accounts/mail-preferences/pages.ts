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
import { messagePage } from "../../platform/http/message-page.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { countWrongCode } from "../sign-in/code-limits.ts";
import { mustHearOfSignIns } from "../sign-in-notices/must-hear.ts";
import { endMails } from "./actions.ts";
import { type MailKind, mailKinds, readUnsubscribeCode } from "./links.ts";
import { text } from "./texts.ts";

/** Whose mails of which kind a link ends. */
interface Linked {
  state: OrganizationState;
  user: User;
  kind: MailKind;
}

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

const goOn = text("goOn", { link: html`<a href="/">${text("startPage")}</a>` });

function questionPage(linked: Linked): Page {
  return messagePage(
    text("question.heading"),
    html`<p>${text("question.text", namesOf(linked))}</p>
<form method="post">
<input type="hidden" name="${FIELD}" value="${VALUE}">
<button type="submit">${text("question.button")}</button>
</form>`,
  );
}

function donePage(linked: Linked): Page {
  return messagePage(
    text("done.heading"),
    html`<p>${text("done.text", namesOf(linked))}
${goOn}</p>`,
    text("done.title"),
  );
}

function namesOf({ state, kind }: Linked) {
  return { mails: text(kind), organization: state.get(organization).name };
}

const missingPage = messagePage(
  text("missing.heading"),
  html`<p>${text("missing.text")}
${goOn}</p>`,
);
