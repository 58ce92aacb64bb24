/** GitHub has OAuth without OpenID Connect: who somebody is, is asked of its API. */
import type { ServerMetadata } from "openid-client";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { type ExternalProfile, textsOf } from "./profile.ts";
import type { SignInProvider } from "./providers.ts";

const PUBLIC = "https://github.com";

export function githubMetadata(issuer: string): ServerMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
}

/** Only the primary address counts, and only if GitHub has verified it. */
export async function readGithubProfile(
  { issuer }: SignInProvider,
  token: string,
  fetch: GuardedFetch,
): Promise<ExternalProfile> {
  const api = issuer === PUBLIC ? "https://api.github.com" : `${issuer}/api/v3`;
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${api}${path}`, {
      method: "GET",
      headers: { accept: "application/vnd.github+json", authorization: `Bearer ${token}` },
    });
    if (response.status !== 200) throw new Error(`GitHub answered ${response.status} to ${path}`);
    return response.json();
  };
  const user = await read("/user");
  const emails = await read("/user/emails");
  const { id, name, login } = (typeof user === "object" && user !== null ? user : {}) as Record<
    string,
    unknown
  >;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new Error("GitHub names nobody");
  const primary = (Array.isArray(emails) ? emails : []).find((each) => each?.primary === true);
  const [email] = textsOf(primary?.email);
  return {
    issuer,
    subject: String(id),
    email,
    isEmailVerified: email !== undefined && primary?.verified === true,
    names: textsOf(name, login),
    claims: { login, name },
  };
}
