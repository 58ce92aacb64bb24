/** Which ways of signing in are on, by the names that older clients read. */
export function signInMethods(isDevelopment: boolean): Record<string, boolean> {
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
  ];
  return {
    password: true,
    email: true,
    dev: isDevelopment,
    ...Object.fromEntries(others.map((name) => [name, false])),
  };
}
