import type { Visit } from "../../people/viewer/page.ts";
import { clientName } from "../../platform/http/client-name.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { type SignedIn, startSession } from "./start.ts";

/**
 * Signs a browser in that has sent a form of the server's own pages. Returns false, and sets no cookie, for a
 * form that may come from another site: it must not sign people in to an account that it can read.
 */
export async function startPageSession(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  { request, reply, cookie, isFromOwnPage }: Pick<Visit, "request" | "reply" | "cookie" | "isFromOwnPage">,
  state: OrganizationState,
  signedIn: SignedIn,
): Promise<boolean> {
  if (!isFromOwnPage) return false;
  const { headers, ip: address } = request;
  const client = clientName(headers["user-agent"]);
  await startSession(services, state, signedIn, { cookie, address, client });
  if (cookie.signIn.token !== undefined) cookie.signIn.clear();
  for (const each of cookie.changes) reply.header("Set-Cookie", each);
  return true;
}
