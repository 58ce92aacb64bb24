/**
 * The page of those who run the installation, and the same as JSON. It belongs to no organization, so it
 * works at every host name, and it needs no database to open.
 */
import type { FastifyReply } from "fastify";
import { noteWrongOperatorKey } from "../../accounts/sign-in/failures.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { isCopy } from "../../platform/backup/copy-mark.ts";
import { isolationHeaders } from "../../platform/http/answer.ts";
import { readForm } from "../../platform/http/form-fields.ts";
import { sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { TokenCookie } from "../../platform/http/session-cookie.ts";
import { retryMails } from "../../platform/mail/queue.ts";
import type { Services } from "../../services.ts";
import { bearerOf, OperatorKey, operatorCookie } from "./key.ts";
import { presentStatus } from "./present.ts";
import { keyPage, OPERATOR_PATH, offPage, RETRY_PATH, SIGN_OUT_PATH } from "./sign-in-page.ts";
import { StatusReader } from "./status.ts";
import { statusPage } from "./status-page.ts";
import { WrongKeys } from "./wrong-keys.ts";

const STATUS_PATH = "/operator/status.json";
const OFF = "set PARLEY_OPERATOR_KEY";

type OperatorServices = Pick<
  Services,
  "config" | "database" | "health" | "keyring" | "organizations" | "queues"
>;

const forAll = { organization: "none", session: "none" } as const;
const ofForm = { method: "POST", origin: "own page", ...forAll } as const;

export function operatorPages(services: OperatorServices): PageRoute[] {
  const { config, database, keyring } = services;
  const key = config.operatorKey === undefined ? undefined : new OperatorKey(keyring, config.operatorKey);
  const wrong = new WrongKeys();
  const status = new StatusReader(services);

  /** What the key is worth from this address. Wrong ones are counted and noted. */
  const judge = (known: OperatorKey, given: string, address: string): "right" | "wrong" | "limited" => {
    if (wrong.isOver(address)) return "limited";
    if (known.matches(given)) return "right";
    wrong.note(address);
    noteWrongOperatorKey(database, address);
    return "wrong";
  };

  return [
    page({ method: "GET", path: OPERATOR_PATH, ...forAll }, async (visit) => {
      const { reply } = visit;
      if (!key) return sendPage(reply, 404, offPage);
      if (!key.isSignedIn(cookieOf(visit))) return sendPage(reply, 200, keyPage());
      return sendPage(reply, 200, statusPage(await status.read()));
    }),
    page({ ...ofForm, path: OPERATOR_PATH }, (visit) => {
      const { reply, request } = visit;
      if (!key) return sendPage(reply, 404, offPage);
      const { key: given } = readForm(request.body, { key: (text) => text }).values;
      const verdict = judge(key, given.trim(), request.ip);
      if (verdict === "limited") return sendPage(retryLater(reply, wrong), 429, keyPage(TOO_MANY));
      if (verdict === "wrong") return sendPage(reply, 403, keyPage("That is not the key."));
      const cookie = cookieOf(visit);
      key.start(cookie);
      return sendBack(reply, cookie);
    }),
    page({ ...ofForm, path: SIGN_OUT_PATH }, (visit) => {
      const cookie = cookieOf(visit);
      cookie.clear();
      return sendBack(visit.reply, cookie);
    }),
    page({ ...ofForm, path: RETRY_PATH }, async (visit) => {
      const { reply, request } = visit;
      if (!key) return sendPage(reply, 404, offPage);
      if (!key.isSignedIn(cookieOf(visit))) return reply.redirect(OPERATOR_PATH, 303);
      const { mail } = readForm(request.body, { mail: (text) => text }).values;
      const ids = /^[1-9]\d{0,14}$/.test(mail) ? [Number(mail)] : undefined;
      if (!isCopy(config.dataDir) && (ids || mail === "all")) await retryMails(database, { ids });
      return reply.redirect(`${OPERATOR_PATH}#mail`, 303);
    }),
    page({ method: "GET", path: STATUS_PATH, ...forAll }, async ({ reply, request }) => {
      if (!key) return sendJson(reply, 404, { status: "off", reason: OFF });
      const given = bearerOf(request.headers);
      const verdict = given === undefined ? "none" : judge(key, given, request.ip);
      if (verdict === "limited") return sendJson(retryLater(reply, wrong), 429, { status: "limited" });
      if (verdict !== "right") {
        return sendJson(reply.header("WWW-Authenticate", "Bearer"), 401, { status: "unauthorized" });
      }
      return sendJson(reply, 200, presentStatus(await status.read()));
    }),
  ];
}

const TOO_MANY = "Too many wrong keys came from your network. Try again in ten minutes.";

function cookieOf({ request, host }: Visit): TokenCookie {
  return operatorCookie(request.headers, host.origin);
}

function sendBack(reply: FastifyReply, { header }: TokenCookie): FastifyReply {
  return reply.header("Set-Cookie", header as string).redirect(OPERATOR_PATH, 303);
}

function retryLater(reply: FastifyReply, wrong: WrongKeys): FastifyReply {
  return reply.header("Retry-After", String(wrong.secondsLeft()));
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers(isolationHeaders)
    .header("Cache-Control", "no-store")
    .header("Content-Type", "application/json; charset=utf-8")
    .send(JSON.stringify(body));
}
