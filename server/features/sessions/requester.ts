import type { IncomingHttpHeaders } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { parseBasic } from "../../platform/http/credentials.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { authenticate, authenticateSession } from "../auth/authenticate.ts";
import { organization } from "../organization/organization.ts";
import type { Viewer } from "../users/viewer.ts";

/**
 * Who asks for a page or a file outside the API: by Basic credentials, or else by the cookie of a session.
 * undefined: the request has neither. Throws as `authenticate` and `authenticateSession` do, also for
 * credentials that a browser sends for another site. Only for requests that change nothing: those that change
 * something need `isFromOwnPage` too.
 */
export async function findRequester(
  { keyring, bus }: Pick<Services, "keyring" | "bus">,
  { state, origin }: { state: OrganizationState; origin: string },
  { headers }: { headers: IncomingHttpHeaders },
): Promise<Viewer | undefined> {
  const { authorization } = headers;
  const { token } = new SessionCookie(headers, origin);
  if (authorization === undefined && token === undefined) return undefined;
  // Another node may have ended a session or changed a key a moment ago.
  if (!bus.isAlone) await state.catchUp();
  if (!state.get(organization).isActive) throw new ApiError(errors.organizationDeactivated);
  const client = clientName(headers["user-agent"]);
  if (authorization === undefined) return authenticateSession(state, keyring, token as string, client);
  if (headers["sec-fetch-site"] === "cross-site") throw new ApiError(errors.crossSiteCredentials);
  const { email, apiKey } = parseBasic(authorization);
  return authenticate(state, keyring, email, apiKey, client);
}
