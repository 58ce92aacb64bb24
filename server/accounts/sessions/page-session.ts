import type { FastifyReply, FastifyRequest } from "fastify";
import { clientName } from "../../platform/http/client-name.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { type SignedIn, startSession } from "./start.ts";

/**
 * Signs a browser in that has sent a form of the server's own pages. Returns false, and sets no cookie, for a
 * form that may come from another site: it must not sign people in to an account that it can read.
 */
export async function startPageSession(
  services: Pick<Services, "keyring" | "noteSignIn">,
  state: OrganizationState,
  signedIn: SignedIn,
  { request, reply, origin }: { request: FastifyRequest; reply: FastifyReply; origin: string },
): Promise<boolean> {
  const { headers, ip: address } = request;
  if (!isFromOwnPage(headers, origin)) return false;
  const cookie = new SessionCookie(headers, origin);
  const client = clientName(headers["user-agent"]);
  await startSession(services, state, signedIn, { cookie, address, client });
  if (cookie.signIn.token !== undefined) cookie.signIn.clear();
  for (const each of cookie.changes) reply.header("Set-Cookie", each);
  return true;
}
