import type { FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { Caller } from "./caller.ts";
import { clientName } from "./client-name.ts";
import { type Authentication, Credentials } from "./credentials.ts";
import { type Fields, lastText } from "./form.ts";
import type { Host } from "./host.ts";
import type { Operation } from "./operation.ts";
import { checkOwnPage } from "./own-page.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface CallersOptions extends Authentication {
  canSpectate(state: OrganizationState): boolean;
  isDeactivated(state: OrganizationState): boolean;
}

/** A request for an endpoint, before anything but its head is read. */
export interface Arrival {
  operation: Operation;
  request: FastifyRequest;
  host: Host;
  cookie: SessionCookie;
}

/** The credentials of a request. At most one of them counts. */
interface Given {
  key?: string;
  header?: string;
  token?: string;
}

/** Finds who makes a request: by an API key in the address, by a header, or by the cookie of a session. */
export class Callers {
  readonly #options: CallersOptions;
  readonly #credentials: Credentials;

  constructor(options: CallersOptions) {
    this.#options = options;
    this.#credentials = new Credentials(options);
  }

  /**
   * The caller who sent the request, or undefined if the endpoint needs no account. Throws if the credentials
   * are missing or wrong, or nobody may call it.
   */
  identify(arrival: Arrival, state: OrganizationState, client: string): Caller | undefined {
    const { operation, request, host } = arrival;
    const { access } = operation;
    if (operation.isOff) throw new ApiError(errors.developmentOnly);
    if (this.#options.isDeactivated(state) && !operation.outlivesOrganization) {
      throw new ApiError(errors.organizationDeactivated);
    }
    const given = givenBy(arrival);
    if (operation.startsSession) checkOwnPage(request.headers, host.origin);
    if (!given) {
      if (access === "anyone" || (access === "spectator" && this.#options.canSpectate(state)))
        return undefined;
      throw new ApiError(errors.notLoggedIn);
    }
    const isFromBrowser = given.key === undefined;
    if (isFromBrowser && request.headers["sec-fetch-site"] === "cross-site")
      throw new ApiError(errors.crossSiteCredentials);
    const caller = this.#viewerOf(arrival, state, given, client);
    if (given.token !== undefined && operation.changes) checkOwnPage(request.headers, host.origin);
    if (caller.isWriteOnly && !operation.isForWriteOnly) throw new ApiError(errors.writeOnlyBot);
    if (caller.mustSetUpSecondStep && !operation.isForSecondStepSetup)
      throw new ApiError(errors.secondStepSetupRequired);
    return caller;
  }

  #viewerOf(
    { operation, request }: Arrival,
    state: OrganizationState,
    { key, header, token }: Given,
    client: string,
  ): Caller {
    if (key !== undefined) return this.#credentials.viewerOfKey(state, key, client);
    if (header === undefined)
      return this.#options.authenticateSession(state, token as string, client, request.ip);
    if (operation.takesBearer) return this.#credentials.viewerOfBearer(state, header, client);
    return this.#credentials.viewer(state, header, client);
  }
}

export function hasCredentials(arrival: Arrival): boolean {
  return givenBy(arrival) !== undefined;
}

export function hasSession(arrival: Arrival): boolean {
  return givenBy(arrival)?.token !== undefined;
}

/** The name of the program. All of a browser's have its User-Agent, so they name themselves. */
export function programOf({ request: { headers } }: Arrival): string {
  const own = headers["x-parley-client"];
  return clientName(typeof own === "string" && own !== "" ? own : headers["user-agent"]);
}

/**
 * The credentials that count. Endpoints for anyone ignore them. An API key in the address counts before a
 * header, which the program may need for something else. A cookie counts only where there is no header.
 */
function givenBy({ operation, request, cookie }: Arrival): Given | undefined {
  if (operation.takesKeyInQuery) {
    const key = (request.query as Fields | undefined)?.api_key;
    if (key !== undefined) return { key: lastText(key) };
  }
  if (operation.access === "anyone") return undefined;
  const header = request.headers.authorization;
  if (header !== undefined) return { header };
  if (!operation.takesCookie) return undefined;
  const { token } = cookie;
  return token === undefined ? undefined : { token };
}
