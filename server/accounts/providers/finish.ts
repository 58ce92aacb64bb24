/** The end of a sign-in with a provider: somebody is who they are. */
import type { FastifyReply } from "fastify";
import { readApiKey } from "../../people/credentials.ts";
import { type User, users } from "../../people/user.ts";
import type { Visit } from "../../people/viewer/page.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { deviceName } from "../../platform/http/device-name.ts";
import { sendPage } from "../../platform/http/page.ts";
import type { SignInProvider } from "../../platform/oidc/providers.ts";
import type { Services } from "../../services.ts";
import { type SignedIn, startSession } from "../sessions/start.ts";
import { noteSignIn } from "../sign-in-notices/notices.ts";
import { type MappedAttributes, syncAccount } from "./attribute-mapping.ts";
import { activeUser } from "./find-account.ts";
import type { Flow, FlowCookie } from "./flow-cookie.ts";
import { checkIdentity } from "./identities.ts";
import { appAddress, desktopCode } from "./native-app.ts";
import { desktopCodePage, openAppPage } from "./sign-in-pages.ts";
import { keepStep } from "./steps.ts";
import type { ExternalIdentity } from "./store.ts";

type OrganizationVisit = Visit<"active">;

/** A request for a page of one provider. */
export interface ProviderVisit extends OrganizationVisit {
  provider: SignInProvider;
  flowCookie: FlowCookie;
}

interface Finished {
  identity: ExternalIdentity;
  flow: Flow;
  attributes: MappedAttributes;
  /** Whether they have shown the account's second step on the way, in this browser. */
  hasShownStep?: boolean;
}

/** Somebody is who they are. The browser gets a session, or the program that waits gets what it needs. */
export async function finish(
  services: Pick<Services, "config" | "keyring" | "log" | "mailer" | "organizations">,
  visit: ProviderVisit,
  { id }: Pick<User, "id">,
  { identity, flow, attributes, hasShownStep = false }: Finished,
): Promise<FastifyReply> {
  const { state, provider, host, request, reply } = visit;
  const { keyring } = services;
  await syncAccount(services, state, provider, { id }, attributes);
  const user = activeUser(state.get(users).byId.get(id));
  if (flow.nativeApp?.kind === "mobile") {
    const apiKey = await readApiKey(state, keyring, id);
    // In this order: what ends an identity may replace the key, which is the new one then.
    await checkIdentity(state.database, state.organizationId, identity, id);
    const device = deviceName(request.headers["user-agent"]);
    await noteSignIn(services, state, user, { address: request.ip, device });
    const account = { site: host.baseUrl, email: user.email, userId: id, apiKey };
    const address = appAddress(flow.nativeApp.otp, account);
    return request.method === "GET"
      ? reply.redirect(address, 302)
      : sendPage(reply, 200, openAppPage(address));
  }
  if (flow.nativeApp) {
    const step = { kind: "desktop", userId: id, identity, next: flow.next, hasShownStep } as const;
    const token = await keepStep(state, keyring, step);
    return sendPage(reply, 200, desktopCodePage(desktopCode(flow.nativeApp.otp, token)));
  }
  await startBrowserSession(services, visit, user, { identity, hasShownStep });
  return reply.redirect(flow.next, 303);
}

/** Throws `SignInOver` if the identity was ended, or a second step is needed, since the person was asked. */
export async function startBrowserSession(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  { state, request, reply, cookie }: OrganizationVisit,
  user: User,
  { identity, hasShownStep = false }: Pick<Finished, "identity" | "hasShownStep">,
): Promise<void> {
  const client = clientName(request.headers["user-agent"]);
  const signedIn: SignedIn = {
    user,
    by: "provider",
    hasShownStep,
    checkAgain: (tx) => checkIdentity(tx, state.organizationId, identity, user.id),
  };
  await startSession(services, state, signedIn, { cookie, address: request.ip, client });
  if (cookie.header !== undefined) reply.header("Set-Cookie", cookie.header);
}
