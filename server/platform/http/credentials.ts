import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { Caller } from "./caller.ts";

/** What the composition root knows about signing in. */
export interface Authentication {
  /** The active person or bot with this name and key; throws the ApiError that the caller should see. */
  authenticate(state: OrganizationState, email: string, apiKey: string, client: string): Caller;
  /** Grows with every change of a user or a key. */
  authVersion(state: OrganizationState): number;
}

/** Headers remembered per organization; then all are forgotten, which costs each caller one look-up. */
const MAX_KNOWN = 50_000;
/** Programs that one person runs with one key. */
const MAX_CLIENTS = 8;

interface Known {
  version: number;
  viewers: Caller[];
}

/**
 * Turns an Authorization header into a viewer. A header that was right is right until a user or a key changes, so it is
 * looked up as a whole; viewers are shared by all requests with the same header and client name.
 */
export class Credentials {
  readonly #authentication: Authentication;
  readonly #known = new WeakMap<OrganizationState, Map<string, Known>>();

  constructor(authentication: Authentication) {
    this.#authentication = authentication;
  }

  /** Throws the ApiError for credentials that are not right (spec Authentication 1). */
  viewer(state: OrganizationState, header: string, client: string): Caller {
    const version = this.#authentication.authVersion(state);
    const known = this.#known.get(state)?.get(header);
    if (known && known.version === version) {
      for (const viewer of known.viewers) if (viewer.client === client) return viewer;
    }
    const { email, apiKey } = parseBasic(header);
    const viewer = this.#authentication.authenticate(state, email, apiKey, client);
    this.#remember(state, header, version, viewer, known);
    return viewer;
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
    if (!ofState) {
      ofState = new Map();
      this.#known.set(state, ofState);
    }
    if (ofState.size >= MAX_KNOWN) ofState.clear();
    ofState.set(header, { version, viewers: [viewer] });
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function parseBasic(header: string): { email: string; apiKey: string } {
  const [scheme = "", encoded = "", ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== "basic") throw new ApiError(errors.basicAuthRequired);
  if (rest.length > 0 || !BASE64.test(encoded)) throw new ApiError(errors.invalidAuthorization);
  const parts = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (parts.length !== 2 || parts.some((part) => part.includes("\0")))
    throw new ApiError(errors.invalidAuthorization);
  const [email = "", apiKey = ""] = parts;
  return { email: email.trim(), apiKey: apiKey.trim() };
}
