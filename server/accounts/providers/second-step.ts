/** The page on which somebody whom a provider knows shows the second step of the account. */
import type { FastifyReply } from "fastify";
import { ApiError } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { emptyForm, readForm } from "../../platform/http/form-fields.ts";
import { type PageText, sendPage } from "../../platform/http/page.ts";
import type { Services } from "../../services.ts";
import { checkCode, findKinds } from "../second-steps/check-code.ts";
import { codeParsers, secondStepPage } from "../sessions/second-step-page.ts";
import { activeUser } from "./find-account.ts";
import { finish, type ProviderVisit } from "./finish.ts";
import { connect, noteSecondStep, SignInOver } from "./identities.ts";
import { keepStep, readStep, type SecondStep, takeStep } from "./steps.ts";

type Parts = Pick<Services, "config" | "keyring" | "log" | "mailer" | "organizations">;

export async function askForSecondStep(
  { keyring }: Pick<Services, "keyring">,
  { state, provider, reply, flowCookie }: ProviderVisit,
  asked: Omit<SecondStep, "kind">,
): Promise<FastifyReply> {
  const step = await keepStep(state, keyring, { kind: "second step", ...asked });
  return reply
    .removeHeader("Set-Cookie")
    .header("Set-Cookie", flowCookie.header({ step }))
    .redirect(`/auth/${provider.id}/second-step`, 303);
}

export async function showSecondStep(services: Parts, visit: ProviderVisit): Promise<FastifyReply> {
  const { step } = await stepOf(services, visit);
  return sendPage(visit.reply, 200, await formOf(visit, step));
}

/** The limits on wrong codes are those of `/login`, since it is the same check. */
export async function takeSecondStep(services: Parts, visit: ProviderVisit): Promise<FastifyReply> {
  const { state, request, reply, flowCookie } = visit;
  const { keyring } = services;
  const { token, step } = await stepOf(services, visit);
  const { values } = readForm(request.body, codeParsers);
  const user = activeUser(state.get(users).byId.get(step.userId));
  try {
    await checkCode(keyring, state, { userId: user.id, code: values.code, address: request.ip });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status } = error.declaration;
    return sendPage(reply, status === 401 ? 403 : status, await formOf(visit, step, problemText(error)));
  }
  if (!(await takeStep(state, keyring, "second step", token))) throw new SignInOver();
  if (step.isConnected) {
    await noteSecondStep(state, step.identity, user.id);
  } else {
    const from = { address: request.ip, client: clientName(request.headers["user-agent"]) };
    await connect(services, state, step.identity, user, { by: "email", hasShownStep: true, from });
  }
  reply.header("Set-Cookie", flowCookie.clearing);
  return finish(services, visit, user, { ...step, hasShownStep: true });
}

async function stepOf(
  { keyring }: Pick<Services, "keyring">,
  { state, provider, request, flowCookie }: ProviderVisit,
): Promise<{ token: string; step: SecondStep }> {
  const token = flowCookie.step(request.headers);
  const step = token === undefined ? undefined : await readStep(state, keyring, "second step", token);
  if (token === undefined || step?.identity.providerId !== provider.id) throw new SignInOver();
  return { token, step };
}

async function formOf({ state }: ProviderVisit, { userId, flow }: SecondStep, problem?: PageText) {
  const kinds = await findKinds(state, userId);
  return secondStepPage(state.get(organization).name, emptyForm(["code"]), {
    kinds,
    next: flow.next,
    ...(problem !== undefined && { problem }),
  });
}
