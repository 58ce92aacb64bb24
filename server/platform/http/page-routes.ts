/**
 * The addresses outside of the API that people open in a browser, and the files that such pages load. Each
 * declares what must hold before it is served. So no page looks up its host, or checks an origin, by hand.
 *
 * The order is that of a call: host → organization → memory is current → origin → session → page.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { isApiError } from "./answer.ts";
import type { ApiOptions } from "./api.ts";
import type { Caller } from "./caller.ts";
import type { ForwardedHosts } from "./forwarded-hosts.ts";
import { type Host, Hosts } from "./host.ts";
import { nextPage } from "./next-page.ts";
import { isFromOwnPage } from "./own-page.ts";
import { SessionCookie } from "./session-cookie.ts";

/**
 * `active`: the page is served where there is an active organization, as the log has it now. `any`: the page
 * says itself what is shown where there is none, or a deactivated one. `none`: it is the same at every host.
 */
export type PageOrganization = "active" | "any" | "none";

/**
 * `if any`: the page is also for people who are not signed in. `required`: they get the form for signing in,
 * and Basic credentials count for nothing.
 */
export type PageSession = "none" | "if any" | "required";

/**
 * The requests that a form takes. `own page`: those that the organization's own pages send. `secret address`:
 * those of everybody who knows the parameter in the path. `anyone`: the reason why no site can do harm by it.
 */
export type PageOrigin = "own page" | "secret address" | { readonly anyone: string };

/** `files`: the limit of pictures, since an office opens many at once. `none`: it is sent from memory. */
export type PageLimit = "pages" | "files" | "none";

/** A page that is read. A link to it may stand anywhere. */
interface Reading {
  readonly method: "GET";
  readonly origin?: never;
  /** What its requests count against. `pages` by default. */
  readonly limit?: PageLimit;
  /**
   * Whether opening it begins something in the browser, such as a sign-in elsewhere. All other pages answer a
   * HEAD as the GET, without the body.
   */
  readonly begins?: boolean;
  /**
   * Only a page with this can start a session: the reason why no link can sign people in to an account that
   * is not theirs. Links stand in messages too, and browsers call a click there a request of an own page.
   */
  readonly signsIn?: string;
}

/** A form that is sent. */
interface Sending {
  readonly method: "POST";
  readonly origin: PageOrigin;
  /** Forms count as pages do, and a HEAD sends none. */
  readonly limit?: never;
  readonly begins?: never;
  /** Only a form with this can start a session. docs/accounts.md lists them. */
  readonly signsIn?: true;
}

interface Common<P extends string, O extends PageOrganization, S extends PageSession> {
  /** In the router's syntax. */
  readonly path: P;
  readonly organization: O;
  /** Sessions belong to organizations. */
  readonly session: S & (O extends "none" ? "none" : unknown);
  /** What is sent where no organization is active. By default, a redirect to the start page. */
  readonly instead?: (reply: FastifyReply) => FastifyReply;
  /** Whether a session counts with which nothing else can be done before a second step is set up. */
  readonly isForSecondStepSetup?: boolean;
  /** For an address with a secret. After `no-referrer`, browsers send the page's forms without an origin. */
  readonly referrer?: "strict-origin" | "no-referrer";
}

export type PageDeclaration<
  P extends string = string,
  O extends PageOrganization = PageOrganization,
  S extends PageSession = PageSession,
> = Common<P, O, S> & (Reading | Sending);

/** The parameters of a path: `{ code: string }` for `/join/:code`. */
type ParametersOf<P extends string> = string extends P
  ? Readonly<Record<string, string>>
  : P extends `${string}:${infer Name}/${infer Rest}`
    ? { readonly [K in Name]: string } & ParametersOf<Rest>
    : P extends `${string}:${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown;

/** What every page gets. */
interface Arrived {
  request: FastifyRequest;
  reply: FastifyReply;
  host: Host;
  query: Readonly<Record<string, unknown>>;
  /** Whether a page of this host sent the request. A form of `own page` is not served without it. */
  isFromOwnPage: boolean;
  /** The cookies of the browser. A page that changes them sets the header itself. */
  cookie: SessionCookie;
}

type WithState<O extends PageOrganization> = O extends "active"
  ? { state: OrganizationState }
  : O extends "any"
    ? { state: OrganizationState | undefined }
    : unknown;

type WithViewer<V, S extends PageSession> = S extends "required"
  ? { viewer: V }
  : S extends "if any"
    ? { viewer: V | undefined }
    : unknown;

/** What a page gets. It has an organization and a viewer as far as its declaration says so. */
export type PageVisit<
  V,
  O extends PageOrganization = "none",
  S extends PageSession = "none",
  P extends string = "",
> = Arrived & { params: ParametersOf<P> } & WithState<O> & WithViewer<V, S>;

type Served = FastifyReply | Promise<FastifyReply>;

// biome-ignore lint/suspicious/noExplicitAny: a list mixes pages, each of which `page` checked.
type Mixed = any;

export interface PageRoute {
  readonly declaration: PageDeclaration;
  serve(visit: Mixed): Served;
}

/** Returns the function that declares a page. `V` is the type of the pages' viewer. */
export function pageFor<V extends Caller>() {
  return function page<const P extends string, O extends PageOrganization, S extends PageSession>(
    declaration: PageDeclaration<P, O, S>,
    serve: (visit: PageVisit<V, O, S, P>) => Served,
  ): PageRoute {
    checkOrigin(declaration as PageDeclaration);
    return { declaration: declaration as PageDeclaration, serve };
  };
}

/** The types say the same, and can be gone around. */
function checkOrigin({ path, ...declaration }: PageDeclaration): void {
  const { method, origin, signsIn } = declaration;
  if (method === "GET") {
    if (signsIn?.trim() === "")
      throw new Error(`GET ${path} signs people in: say why no link can do harm by it`);
    return;
  }
  const place = `the form ${method} ${path}`;
  if (origin === undefined)
    throw new Error(
      `${place} does not say whose requests it takes: give it the origin "own page", unless it must be sent from elsewhere`,
    );
  if (origin === "secret address" && !path.includes(":"))
    throw new Error(`${place} has no secret in its address: give it the origin "own page"`);
  if (typeof origin === "object" && origin.anyone.trim() === "")
    throw new Error(`${place} takes requests of anyone: say why no other site can do harm by it`);
}

/** A file that everyone may load, at every host. */
export function publicFile<const P extends string>(
  path: P,
  serve: (visit: PageVisit<never, "none", "none", P>) => Served,
  options: Pick<Reading, "limit"> = {},
): PageRoute {
  return { declaration: { method: "GET", path, organization: "none", session: "none", ...options }, serve };
}

/** How the server's pages find out who opens them. The modules that know it give it. */
export interface PageVisitors {
  /**
   * Whom the request's credentials belong to; undefined if it has none. Throws an `ApiError` if they do not
   * count.
   */
  find(
    place: { state: OrganizationState; origin: string },
    request: { headers: IncomingHttpHeaders },
  ): Promise<Caller | undefined>;
  /** Where people sign in. The address of the page that follows is added as `next`. */
  signInPath: string;
}

export interface PageOptions extends Pick<ApiOptions, "stateOf" | "isDeactivated" | "catchUp" | "publicUrl"> {
  /** The server's own pages, and the files that they load. */
  pages?: readonly PageRoute[];
  /** Pages with a session need it. */
  pageVisitors?: PageVisitors;
}

export function addPages(app: FastifyInstance, options: PageOptions, forwardedHosts?: ForwardedHosts): void {
  const hosts = new Hosts(options.publicUrl);
  for (const page of options.pages ?? []) {
    const { method, path, session, limit = "pages" } = page.declaration;
    if (session !== "none" && !options.pageVisitors)
      throw new Error(`${method} ${path} has a session, and nothing finds it`);
    app.route({
      method: answersHead(page.declaration) ? [method, "HEAD"] : method,
      url: path,
      config: limits[limit],
      handler: (request, reply) => {
        const host = hosts.read(request.headers.host);
        return open(page, { ...options, forwardedHosts }, arrivalOf(page, request, reply, host));
      },
    });
  }
}

/** Whether it has the headers of a page for somebody who asks for them alone. */
export function answersHead({ method, begins, signsIn }: PageDeclaration): boolean {
  return method === "GET" && !begins && signsIn === undefined;
}

const limits: Record<PageLimit, FastifyContextConfig> = {
  pages: {},
  files: { isStoredFile: true },
  none: { isStatic: true },
};

type Arrival = PageVisit<never, "none", "none", string>;

function arrivalOf(
  { declaration: { signsIn } }: PageRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  host: Host,
): Arrival {
  const { headers, params, query } = request;
  return {
    request,
    reply,
    host,
    params: params as Arrival["params"],
    query: query as Arrival["query"],
    isFromOwnPage: isFromOwnPage(headers, host.origin),
    cookie: new SessionCookie(headers, host.origin, { mayStart: signsIn !== undefined }),
  };
}

async function open(
  page: PageRoute,
  options: PageOptions & { forwardedHosts: ForwardedHosts | undefined },
  arrival: Arrival,
): Promise<FastifyReply> {
  const { method, organization, origin, session, instead = toStartPage, referrer } = page.declaration;
  const { reply, host, request } = arrival;
  // A redirect too may have a secret in its address, or say who somebody is. What may be kept says so itself.
  if (organization !== "none" || method === "POST") reply.header("Cache-Control", "no-store");
  if (referrer !== undefined) reply.header("Referrer-Policy", referrer);
  const needsHost = organization !== "none";
  const isNameless = host.name === "" || options.forwardedHosts?.isHidden(request.raw, host);
  const state = needsHost && !isNameless ? await options.stateOf(host.name) : undefined;
  if (needsHost && !state) options.forwardedHosts?.note(request.raw, host);
  if (organization === "active" && !(state && (await isActive(state, options)))) return instead(reply);
  if (origin === "own page" && !arrival.isFromOwnPage) throw new ApiError(errors.foreignOrigin);
  const viewer = state && session !== "none" ? await viewerOf(page, options, state, arrival) : undefined;
  if (session === "required" && !viewer) return toSignIn(options, arrival);
  return page.serve({ ...arrival, state, viewer });
}

/** As for a call, memory that refuses is asked again: a command may have changed the organization. */
async function isActive(state: OrganizationState, { catchUp, isDeactivated }: PageOptions): Promise<boolean> {
  await catchUp?.(state, false);
  if (isDeactivated(state)) await catchUp?.(state, true);
  return !isDeactivated(state);
}

/** Credentials that do not count are as good as none: a page says itself what it shows then. */
async function viewerOf(
  { declaration: { session, isForSecondStepSetup = false } }: PageRoute,
  { pageVisitors }: PageOptions,
  state: OrganizationState,
  { request: { headers }, host: { origin } }: Arrival,
): Promise<Caller | undefined> {
  if (session === "required" && headers.authorization !== undefined) return undefined;
  try {
    const viewer = await pageVisitors?.find({ state, origin }, { headers });
    return viewer?.mustSetUpSecondStep && !isForSecondStepSetup ? undefined : viewer;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

function toStartPage(reply: FastifyReply): FastifyReply {
  return reply.redirect("/", 303);
}

function toSignIn({ pageVisitors }: PageOptions, { reply, query }: Arrival): FastifyReply {
  return reply.redirect(`${pageVisitors?.signInPath}?next=${encodeURIComponent(nextPage(query.next))}`, 303);
}
