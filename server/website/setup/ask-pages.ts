/** `/new`: people who want an organization of their own give an address, and get a link by mail. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { parseEmail } from "../../people/names.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { commonText } from "../../platform/http/common-texts.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import {
  emptyForm,
  type FilledForm,
  isComplete,
  presentField,
  readForm,
} from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, sentPage, titleOf } from "../../platform/http/message-page.ts";
import { html, type Page, type PageResponse, type PageText, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { RateLimiter } from "../../platform/http/rate-limit.ts";
import type { Services } from "../../services.ts";
import { isOpenToAnyone, requestOrganization } from "./further-organizations.ts";
import { noMail, tooManyRequests } from "./message-pages.ts";
import { text } from "./texts.ts";

type AskServices = Pick<Services, "config" | "keyring" | "mailer" | "organizations">;

const everywhere = { path: "/new", organization: "none", session: "none" } as const;

export function askPages(services: AskServices, limiter: RateLimiter | undefined): PageRoute[] {
  const answer = async (
    { request, reply }: Visit,
    outcome: (request: FastifyRequest) => PageResponse | Promise<PageResponse>,
  ): Promise<FastifyReply> => {
    if (!(await isOpenToAnyone(services))) return reply.redirect("/", 303);
    const { status, page: shown } = services.mailer.canSend ? await outcome(request) : noMail;
    return sendPage(reply, status, shown);
  };
  return [
    page({ method: "GET", ...everywhere }, (visit) =>
      answer(visit, () => ({ status: 200, page: askPage(emptyForm(["email"])) })),
    ),
    page({ method: "POST", origin: "own page", ...everywhere }, (visit) =>
      answer(visit, (request) => take(services, limiter, request)),
    ),
  ];
}

async function take(
  services: AskServices,
  limiter: RateLimiter | undefined,
  { ip, body }: FastifyRequest,
): Promise<PageResponse> {
  if (limiter && limiter.countAddress(ip).remaining < 0) return tooManyRequests;
  const form = readForm(body, { email: parseEmail });
  if (!isComplete(form)) return { status: 400, page: askPage(form) };
  try {
    await requestOrganization(services, form.values.email, ip);
    return { status: 200, page: sentPage };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { status: error.declaration.status, page: askPage(form, problemText(error)) };
  }
}

function askPage(form: FilledForm<"email">, problem?: PageText): Page {
  const isWrong = problem !== undefined || !isComplete(form);
  return messagePage(
    text("ask.heading"),
    html`${problemLine(problem)}
<p>${text("ask.text")}</p>
<form method="post" novalidate>
${presentField({ name: "email", label: commonText("field.ownEmail"), type: "email", autocomplete: "email" }, form)}
<button type="submit">${commonText("sendLink")}</button>
</form>`,
    titleOf(text("ask.heading"), isWrong),
  );
}
