import { pathOf, type SignInProvider } from "../../platform/oidc/providers.ts";

/** Names that older clients read, of ways of signing in that the server may have. */
const others = [
  "ldap",
  "remoteuser",
  "github",
  "azuread",
  "gitlab",
  "apple",
  "google",
  "saml",
  "openid connect",
] as const;

/** Which ways of signing in are on, by the names that older clients read. */
export function signInMethods(
  isDevelopment: boolean,
  providers: readonly SignInProvider[],
): Record<string, boolean> {
  const on = new Set<string>(providers.map(legacyName));
  return {
    password: true,
    email: true,
    dev: isDevelopment,
    ...Object.fromEntries(others.map((name) => [name, on.has(name)])),
  };
}

/** The same for `/register`, which spells them for people. */
export function presentSignInMethods(providers: readonly SignInProvider[]) {
  const names = ["Email", ...new Set(providers.map((provider) => registerNames[legacyName(provider)]))];
  return Object.fromEntries(names.map((name) => [name, { enabled: true, available: true }]));
}

/** The providers, as clients list them beside the password. Paths are relative to the server's address. */
export function presentProviders(providers: readonly SignInProvider[]) {
  return providers.map((provider) => ({
    name: provider.methodName,
    display_name: provider.name,
    display_icon: provider.icon,
    login_url: pathOf(provider),
    signup_url: pathOf(provider),
  }));
}

const registerNames = {
  github: "GitHub",
  gitlab: "GitLab",
  google: "Google",
  azuread: "AzureAD",
  "openid connect": "OpenID Connect",
} as const;

function legacyName({ preset }: SignInProvider): keyof typeof registerNames {
  if (preset === "microsoft") return "azuread";
  return preset ?? "openid connect";
}
