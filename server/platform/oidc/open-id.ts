import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { OutboundHttp } from "../outbound-http/outbound-http.ts";
import { githubMetadata, readGithubProfile } from "./github.ts";
import { type GuardedFetch, guardedFetch } from "./guarded-fetch.ts";
import { type ExternalProfile, isSubject, textsOf } from "./profile.ts";
import type { SignInProvider } from "./providers.ts";

/** What a sign-in must bring back. */
export interface Expected {
  state: string;
  nonce: string;
  verifier: string;
}

const METADATA_MS = 3_600_000;

/**
 * Speaks with the providers: where to send a browser, and who comes back. What a provider says of itself is
 * read when somebody first signs in with it, and again after an hour. A failure is not kept.
 */
export class OpenId {
  readonly #outbound: OutboundHttp;
  readonly #known = new Map<string, { found: Promise<Configuration>; until: number }>();

  constructor(outbound: OutboundHttp) {
    this.#outbound = outbound;
  }

  /** For a sign-in that begins. */
  newExpected(): Expected {
    return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  }

  /** Where the browser goes to sign in. Calls are done for the organization. */
  async authorizationUrl(
    organizationId: number,
    provider: SignInProvider,
    { state, nonce, verifier }: Expected,
    redirectUri: string,
  ): Promise<string> {
    const configuration = await this.#configuration(organizationId, provider);
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scope,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(provider.kind === "OpenID" && { nonce }),
    });
    if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error("no address of the web");
    return url.href;
  }

  /**
   * Who has signed in, by the address to which the provider has sent the browser back. Throws if the answer
   * is not one to this sign-in, or the provider does not confirm it.
   */
  async profile(
    organizationId: number,
    provider: SignInProvider,
    { state, nonce, verifier }: Expected,
    callback: URL,
  ): Promise<ExternalProfile> {
    const configuration = await this.#configuration(organizationId, provider);
    const isGithub = provider.kind === "GitHub";
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      pkceCodeVerifier: verifier,
      ...(!isGithub && { expectedNonce: nonce, idTokenExpected: true }),
    });
    if (isGithub) {
      return readGithubProfile(provider, tokens.access_token, this.#fetch(organizationId));
    }
    const inToken = tokens.claims();
    if (!inToken || !isSubject(inToken.sub)) throw new Error("the ID token names nobody");
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(configuration, tokens.access_token, inToken.sub)
      : {};
    // The token is signed, so it counts where both say something.
    const { issuer } = configuration.serverMetadata();
    return profileOf(provider, { issuer, subject: inToken.sub }, { ...more, ...inToken });
  }

  #fetch(organizationId: number): GuardedFetch {
    return guardedFetch(this.#outbound, organizationId);
  }

  async #configuration(organizationId: number, provider: SignInProvider): Promise<Configuration> {
    const key = `${organizationId} ${provider.id}`;
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known.found;
    const found = this.#discover(organizationId, provider);
    const entry = { found, until: Date.now() + METADATA_MS };
    this.#known.set(key, entry);
    try {
      return await found;
    } catch (error) {
      if (this.#known.get(key) === entry) this.#known.delete(key);
      throw error;
    }
  }

  async #discover(organizationId: number, provider: SignInProvider): Promise<Configuration> {
    const { issuer, clientId, clientSecret, kind } = provider;
    const fetch = this.#fetch(organizationId);
    // The guarded way out decides whether plain http may be used.
    const isPlain = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
    const authentication = clientSecret === undefined ? None() : bySecret(clientSecret);
    if (kind === "GitHub") {
      const metadata = githubMetadata(issuer);
      const configuration = new Configuration(metadata, clientId, {}, authentication);
      configuration[customFetch] = fetch;
      for (const change of isPlain) change(configuration);
      return configuration;
    }
    return discovery(new URL(issuer), clientId, {}, authentication, {
      [customFetch]: fetch,
      execute: [...isPlain, enableNonRepudiationChecks],
    });
  }
}

/** The secret as the provider takes it; what it does not say is the protocol's default. */
function bySecret(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const use = methods.includes("client_secret_basic") ? basic : post;
    return use(server, client, body, headers);
  };
}

function profileOf(
  { emailsAreVerified }: SignInProvider,
  person: Pick<ExternalProfile, "issuer" | "subject">,
  claims: Readonly<Record<string, unknown>>,
): ExternalProfile {
  const { email, email_verified: isVerified, name, given_name: given, family_name: family } = claims;
  const [address] = textsOf(email);
  const whole = textsOf(given, family).join(" ");
  return {
    ...person,
    email: address,
    // Some providers write it as a text. A provider that says no is believed in any case.
    isEmailVerified:
      address !== undefined &&
      (isVerified === true || isVerified === "true" || (isVerified === undefined && emailsAreVerified)),
    names: textsOf(name, whole, claims.preferred_username, claims.nickname),
    claims,
  };
}
