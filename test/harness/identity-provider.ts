/** A real OpenID provider on the loopback, at which everybody is the person that the test names. */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context, Provider } from "oidc-provider";

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  [claim: string]: unknown;
}

export const CLIENT_SECRET = "a secret of the provider and the server";

export interface IdentityProvider {
  issuer: string;
  /** Who signs in next. undefined: somebody who declines. */
  person: Person | undefined;
  close(): Promise<void>;
}

/** `clients` are registered with all of these addresses to come back to. */
export async function startIdentityProvider(
  clients: readonly string[],
  redirectUris: readonly string[],
): Promise<IdentityProvider> {
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response));
  const issuer = await listenOn(server);
  const people = new Map<string, Person>();
  const own: IdentityProvider = { issuer, person: undefined, close: () => closeServer(server) };
  const provider: Provider = await quietly(async () => {
    const { Provider } = await import("oidc-provider");
    return new Provider(
      issuer,
      configuration(clients, redirectUris, people, () => provider),
    );
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return callback(request, response);
    const { person } = own;
    if (person) people.set(person.sub, person);
    const result = person ? { login: { accountId: person.sub } } : { error: "access_denied" };
    provider.interactionFinished(request, response, result).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  };
  return own;
}

/** Starts a server on the loopback, and returns its address. */
export async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function configuration(
  clients: readonly string[],
  redirectUris: readonly string[],
  people: ReadonlyMap<string, Person>,
  provider: () => Provider,
) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: clients.map((client_id) => ({
      client_id,
      client_secret: CLIENT_SECRET,
      redirect_uris: redirectUris,
    })),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key for the cookies of the tests"] },
    features: { devInteractions: { enabled: false } },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "preferred_username", "groups", "roles", "_claim_names"],
    },
    interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Grant: 60, Interaction: 60, Session: 60 },
    findAccount: (_: Context, accountId: string) => ({
      accountId,
      claims: () => people.get(accountId) ?? { sub: accountId },
    }),
    /** Nobody is asked whether the client may know them. */
    async loadExistingGrant({ oidc }: Context) {
      const grant = new (provider().Grant)({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  };
}

/** The provider gives its users advice on standard error, which is not for tests. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
