import type { IncomingHttpHeaders } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { parseBasic } from "../../platform/http/credentials.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { authenticate, authenticateSession } from "../sign-in/authenticate.ts";
import { sessions } from "./live-sessions.ts";

/**
 * Who asks for a page or a file outside the API: by Basic credentials, or else by the cookie of a session.
 * undefined: the request has neither. Throws as `authenticate` and `authenticateSession` do, also for
 * credentials that a browser sends for another site. Requests that change something must also come from an
 * own page, which the declaration of a page says.
 */
export async function findRequester(
  { keyring, bus }: Pick<Services, "keyring" | "bus">,
  { state, origin }: { state: OrganizationState; origin: string },
  { headers }: { headers: IncomingHttpHeaders },
  { isForSecondStepSetup = false }: { isForSecondStepSetup?: boolean } = {},
): Promise<Viewer | undefined> {
  const { authorization } = headers;
  const { token } = new SessionCookie(headers, origin);
  if (authorization === undefined && token === undefined) return undefined;
  // Another node may have ended a session or changed a key a moment ago.
  if (!bus.isAlone) await state.catchUp();
  if (!state.get(organization).isActive) throw new ApiError(errors.organizationDeactivated);
  const client = clientName(headers["user-agent"]);
  if (authorization === undefined) {
    const viewer = authenticateBrowser(state, keyring, token as string, client);
    if (viewer.mustSetUpSecondStep && !isForSecondStepSetup)
      throw new ApiError(errors.secondStepSetupRequired);
    return viewer;
  }
  if (headers["sec-fetch-site"] === "cross-site") throw new ApiError(errors.crossSiteCredentials);
  const { email, apiKey } = parseBasic(authorization);
  return authenticate(state, keyring, email, apiKey, client);
}

/** The person with the session of this token, and whether they must set up a second step first. */
export function authenticateBrowser(
  state: OrganizationState,
  keyring: Keyring,
  token: string,
  client: string,
): Viewer {
  const viewer = authenticateSession(state, keyring, token, client);
  const session = state.get(sessions).find(viewer.credential?.hash ?? "");
  if (!session || !mustSetUp(state, viewer.user, session.signedInBy)) return viewer;
  return { ...viewer, mustSetUpSecondStep: true };
}
