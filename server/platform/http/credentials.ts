import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { Caller } from "./caller.ts";

/** The part of authentication that the composition root provides. */
export interface Authentication {
  /** The active person or bot with this email address and key. Throws the ApiError for the client. */
  authenticate(state: OrganizationState, email: string, apiKey: string, client: string): Caller;
  /** The active person or bot with this key, for endpoints that take a key alone. Throws like the above. */
  authenticateKey(state: OrganizationState, apiKey: string, client: string): Caller;
  /** The active person with the session of this token, used from this IP address. Throws like the above. */
  authenticateSession(state: OrganizationState, token: string, client: string, address: string): Caller;
  /** Grows with every change of a user or a key. */
  authVersion(state: OrganizationState): number;
}

/** Longer headers are refused. An address and a key take less than 400 bytes. */
const MAX_HEADER = 512;
/** Accounts cached per organization. At the limit all are dropped, which costs each client one look-up. */
const MAX_KNOWN = 50_000;
/** Client programs cached per header. A person runs only a few with one key. */
const MAX_CLIENTS = 8;

interface Known {
  version: number;
  viewers: Caller[];
}

/** What is cached for one organization. */
class KnownHeaders {
  readonly byHeader = new Map<string, Known>();
  /** One key has many spellings as a header, and only the last one is kept for each account. */
  readonly headerOf = new Map<UserId, string>();
}

/**
 * Finds the viewer for an Authorization header. A header that was accepted stays valid until a user or a key
 * changes, so the whole header is a cache key. All requests with the same header and client name share a
 * viewer.
 */
export class Credentials {
  readonly #authentication: Omit<Authentication, "authenticateSession">;
  readonly #known = new WeakMap<OrganizationState, KnownHeaders>();

  constructor(authentication: Omit<Authentication, "authenticateSession">) {
    this.#authentication = authentication;
  }

  /** Throws the ApiError for invalid credentials (spec Authentication 1). */
  viewer(state: OrganizationState, header: string, client: string): Caller {
    const version = this.#authentication.authVersion(state);
    const known = this.#known.get(state)?.byHeader.get(header);
    if (known && known.version === version) {
      for (const viewer of known.viewers) if (viewer.client === client) return viewer;
    }
    const { email, apiKey } = parseBasic(header);
    const viewer = this.#authentication.authenticate(state, email, apiKey, client);
    this.#remember(state, header, version, viewer, known);
    return viewer;
  }

  /** Not remembered: to find the account of a key is one hash and two look-ups in memory. */
  viewerOfKey(state: OrganizationState, apiKey: string, client: string): Caller {
    return this.#authentication.authenticateKey(state, apiKey, client);
  }

  /** Like `viewer`, for an address that also takes an API key alone, as `Bearer`. */
  viewerOfBearer(state: OrganizationState, header: string, client: string): Caller {
    const [scheme = "", key = "", ...rest] = header.slice(0, MAX_HEADER).trim().split(/ +/);
    switch (scheme.toLowerCase()) {
      case "basic":
        return this.viewer(state, header, client);
      case "bearer":
        // Not remembered: to the other addresses such a header must stay unknown.
        if (rest.length === 0) return this.viewerOfKey(state, key, client);
    }
    throw new ApiError(errors.bearerKeyRequired);
  }

  #remember(
    state: OrganizationState,
    header: string,
    version: number,
    viewer: Caller,
    known: Known | undefined,
  ): void {
    if (known && known.version === version) {
      if (known.viewers.length >= MAX_CLIENTS) known.viewers.length = 0;
      known.viewers.push(viewer);
      return;
    }
    let ofState = this.#known.get(state);
    if (!ofState || ofState.byHeader.size >= MAX_KNOWN) {
      ofState = new KnownHeaders();
      this.#known.set(state, ofState);
    }
    const last = ofState.headerOf.get(viewer.user.id);
    if (last !== undefined && last !== header) ofState.byHeader.delete(last);
    ofState.headerOf.set(viewer.user.id, header);
    ofState.byHeader.set(header, { version, viewers: [viewer] });
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function parseBasic(header: string): { email: string; apiKey: string } {
  if (header.length > MAX_HEADER) throw new ApiError(errors.invalidAuthorization);
  const [scheme = "", encoded = "", ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== "basic") throw new ApiError(errors.basicAuthRequired);
  if (rest.length > 0 || !BASE64.test(encoded)) throw new ApiError(errors.invalidAuthorization);
  const parts = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (parts.length !== 2 || parts.some((part) => part.includes("\0")))
    throw new ApiError(errors.invalidAuthorization);
  const [email = "", apiKey = ""] = parts;
  return { email: email.trim(), apiKey: apiKey.trim() };
}
