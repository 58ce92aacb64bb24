/** `/new`: who wants an organization of their own gives an address, and gets a link by mail. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { parseEmail } from "../../people/names.ts";
import { isApiError } from "../../platform/http/answer.ts";
import {
  emptyForm,
  type FilledForm,
  isComplete,
  presentField,
  readForm,
} from "../../platform/http/form-fields.ts";
import type { Hosts } from "../../platform/http/host.ts";
import { messagePage, sentPage } from "../../platform/http/message-page.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import type { RateLimiter } from "../../platform/http/rate-limit.ts";
import type { Services } from "../../services.ts";
import { isOpenToAnyone, requestOrganization } from "./further-organizations.ts";
import { noMail, type Outcome, tooManyRequests } from "./message-pages.ts";

export function registerAskPages(
  pages: FastifyInstance,
  services: Services,
  { hosts, limiter }: { hosts: Hosts; limiter: RateLimiter | undefined },
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!(await isOpenToAnyone(services))) return reply.redirect("/", 303);
    const isForm = request.method === "POST";
    const { origin } = hosts.read(request.headers.host);
    if (isForm && !isFromOwnPage(request.headers, origin)) throw new ApiError(errors.foreignOrigin);
    const { status, page } = await outcomeOf(request, isForm);
    return sendPage(reply, status, page);
  };
  const outcomeOf = async ({ ip, body }: FastifyRequest, isForm: boolean): Promise<Outcome> => {
    if (!services.mailer.canSend) return noMail;
    if (!isForm) return { status: 200, page: askPage(emptyForm(["email"])) };
    if (limiter && limiter.countAddress(ip).remaining < 0) return tooManyRequests;
    const form = readForm(body, { email: parseEmail });
    if (!isComplete(form)) return { status: 400, page: askPage(form) };
    try {
      await requestOrganization(services, form.values.email, ip);
      return { status: 200, page: sentPage };
    } catch (error) {
      if (!isApiError(error)) throw error;
      return { status: error.declaration.status, page: askPage(form, error.message) };
    }
  };
  pages.get("/new", answer);
  pages.post("/new", answer);
}

function askPage(form: FilledForm<"email">, problem?: string): Page {
  const title = "Create an organization";
  const isWrong = problem !== undefined || !isComplete(form);
  return messagePage(
    title,
    html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<p>You get a mail with a link by which you name your organization and become its owner.</p>
<form method="post" novalidate>
${presentField({ name: "email", label: "Your email address", type: "email", autocomplete: "email" }, form)}
<button type="submit">Send me a link</button>
</form>`,
    isWrong ? `Please check: ${title.toLowerCase()}` : title,
  );
}
