/**
 * Walks every page of the server: each kind of visitor, from each kind of site, where there is an active
 * organization, a deactivated one and none. What must happen follows from the declaration of the page.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ApiError, errors } from "../../api/errors.ts";
import { pagesOfModules } from "../../server/modules.ts";
import { answersHead, type PageRoute } from "../../server/platform/http/page-routes.ts";
import { pagesIn } from "../../tools/ways-in.js";
import {
  type Form,
  forms,
  otherForms,
  PageWorld,
  type Place,
  places,
  type Site,
  signedIn,
  sites,
  type Visitor,
} from "./page-world.ts";

const { message: refusal } = new ApiError(errors.foreignOrigin);

let world: PageWorld;
let pages: readonly PageRoute[];
beforeAll(async () => {
  world = await PageWorld.open();
  pages = pagesOfModules(world.harness.services);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.requireSecondStep("nobody");
  await world.signIn();
});

/** A request for a page. */
interface Step {
  place: Place;
  site: Site;
  visitor: Visitor;
}

type Answer = Awaited<ReturnType<PageWorld["visit"]>>;

const nameOf = ({ declaration: { method, path } }: PageRoute) => `${method} ${path}`;

test("every form is sent with something that it takes, or has a test of its own", () => {
  const declared = pages.filter(({ declaration }) => declaration.method === "POST");
  const known = [...Object.keys(forms), ...Object.keys(otherForms)].map((path) => `POST ${path}`);
  expect(declared.map(nameOf).sort(), "add it to test/permissions/page-world.ts").toEqual(known.sort());
});

test("these forms take requests from elsewhere, and no others", () => {
  const open = pages.filter(({ declaration: { origin } }) => origin !== undefined && origin !== "own page");
  expect(Object.fromEntries(open.map((page) => [nameOf(page), page.declaration.origin]))).toEqual({
    "POST /join/:code": "secret address",
    "POST /new/:token": "secret address",
    "POST /unsubscribe/:kind/:code": "secret address",
  });
});

test("these pages sign people in by a link, and no others", () => {
  const entering = pages.filter(
    ({ declaration: { method, signsIn } }) => method === "GET" && signsIn !== undefined,
  );
  expect(entering.map(nameOf)).toEqual(["GET /auth/:id/callback"]);
});

test("docs/accounts.md says of each page that can start a session what it asks for", () => {
  const entering = pages.filter(({ declaration: { signsIn } }) => signsIn !== undefined);
  expect(entering.map(nameOf).sort()).toEqual([...pagesIn.keys()].sort());
});

describe("what a form refuses changes nothing, and what it takes changes something", () => {
  test.each([...Object.keys(forms), ...Object.keys(otherForms)])("POST %s", async (path) => {
    const here = pages.filter(({ declaration }) => declaration.path === path);
    const form = (await forms[path]?.(world)) ?? { params: { id: "sso" }, fields: {} };
    const problems: string[] = [];
    const before = await world.contents();
    for (const page of here) {
      const isRead = page.declaration.method === "GET" && path in forms;
      problems.push(...(await walk(page, form, (step) => isRead || outcomeOf(page, step) !== undefined)));
    }
    expect(await world.contents()).toBe(before);
    for (const page of here)
      problems.push(...(await walk(page, form, (step) => outcomeOf(page, step) === undefined)));
    expect(problems).toEqual([]);
    if (path in forms) expect(await world.contents()).not.toBe(before);
  });
});

test("a page that is read shows itself, or what its declaration says, to everybody", async () => {
  const sent = new Set([...Object.keys(forms), ...Object.keys(otherForms)]);
  const read = pages.filter(({ declaration }) => !sent.has(declaration.path));
  expect(read.length).toBeGreaterThan(30);
  const problems: string[] = [];
  for (const page of read) {
    const isFile = page.declaration.organization === "none";
    const isWanted = ({ site, visitor }: Step) =>
      (!isFile || visitor === "a member") && (site === "another site" || site === "nobody says");
    problems.push(...(await walk(page, { fields: {} }, isWanted)));
  }
  expect(problems).toEqual([]);
});

test("a HEAD of a page has the headers of its GET, and changes nothing", async () => {
  const asked = pages.filter(({ declaration }) => answersHead(declaration));
  const refused = pages.filter(({ declaration: each }) => each.method === "GET" && !answersHead(each));
  expect(refused.map(nameOf).sort()).toEqual(["GET /auth/:id", "GET /auth/:id/callback"]);
  const before = await world.contents();
  const differences: unknown[] = [];
  for (const page of asked) {
    const { path } = page.declaration;
    const form = (await filled(path)) ?? { fields: {} };
    const contents = path in forms ? await world.contents() : before;
    for (const visitor of ["nobody", "a member"] as const) {
      const step = { place: "active", site: "nobody says", visitor } as const;
      const head = headOf(await world.visit({ method: "HEAD", path }, step, form));
      const got = headOf(await world.visit({ method: "GET", path }, step, form));
      if (JSON.stringify(head) !== JSON.stringify(got)) differences.push({ path, visitor, head, got });
    }
    if (path in forms) expect(await world.contents(), path).toBe(contents);
  }
  expect(differences).toEqual([]);
  for (const { declaration } of refused) {
    const step = { place: "active", site: "nobody says", visitor: "nobody" } as const;
    const answer = await world.visit({ ...declaration, method: "HEAD" }, step, {
      fields: {},
      params: { id: "sso" },
    });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([404, undefined]);
  }
});

const filled = async (path: string) => forms[path]?.(world);

/** Without what differs between any two requests. The framework leaves out the length of nothing. */
function headOf({ statusCode, headers }: Answer) {
  const { date: _, connection: _connection, "x-request-id": _id, ...others } = headers;
  if (others["content-length"] === "0") delete others["content-length"];
  return { statusCode, headers: Object.entries(others).sort() };
}

/** Opens or sends a page in all situations that are wanted. Returns what was wrong. */
async function walk(page: PageRoute, form: Form, isWanted: (step: Step) => boolean): Promise<string[]> {
  const problems: string[] = [];
  for (const place of Object.keys(places) as Place[])
    for (const site of Object.keys(sites) as Site[])
      for (const visitor of world.visitors.keys()) {
        const step = { place, site, visitor };
        if (!isWanted(step)) continue;
        const answer = await world.visit(page.declaration, step, form);
        const problem = problemOf(page, step, answer);
        if (problem) problems.push(`${nameOf(page)}, ${place}, from ${site}, ${visitor}: ${problem}`);
      }
  return problems;
}

/** What the declaration of a page says of a request before the page is served. */
type Outcome = "no organization" | "foreign" | "not signed in";

function outcomeOf({ declaration }: PageRoute, { place, site, visitor }: Step): Outcome | undefined {
  const { organization, origin, session } = declaration;
  if (organization === "active" && place !== "active") return "no organization";
  if (origin === "own page" && site !== "own page") return "foreign";
  if (session === "required" && !signedIn.includes(visitor)) return "not signed in";
  return undefined;
}

function problemOf(page: PageRoute, step: Step, answer: Answer): string | undefined {
  return policyProblem(page, answer) ?? outcomeProblem(page, step, answer);
}

/** The policies that browsers keep, which each answer has, also a refusal and a redirect. */
const policies: Record<string, RegExp> = {
  "x-content-type-options": /^nosniff$/,
  "content-security-policy": /^(?=.*default-src 'none')(?!.*unsafe-eval)(?!.*script-src[^;]*unsafe-inline)/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "referrer-policy": /^(no-referrer|same-origin|strict-origin)$/,
};
/** Nobody keeps what has a secret in its address. */
const policiesOfSecret: typeof policies = { ...policies, "cache-control": /\bno-store$/ };
const policiesOfHtml: typeof policies = {
  ...policiesOfSecret,
  "content-security-policy":
    /^(?=.*default-src 'none')(?=.*frame-ancestors 'none')(?=.*base-uri 'none')(?=.*form-action )(?!.*unsafe)/,
};

function policyProblem({ declaration: { path } }: PageRoute, { headers }: Answer): string | undefined {
  const isHtml = String(headers["content-type"] ?? "").startsWith("text/html");
  const isSecret = /:(code|token)/.test(path);
  const expected = isHtml ? { ...policiesOfHtml } : isSecret ? policiesOfSecret : policies;
  // The web client's page, where it is built, is the same for everybody.
  if (path === "/" && headers["cache-control"] === "no-cache") delete expected["cache-control"];
  for (const [name, pattern] of Object.entries(expected))
    if (!pattern.test(String(headers[name] ?? ""))) return `has ${name}: ${headers[name]}`;
  for (const cookie of [headers["set-cookie"] ?? []].flat())
    if (!isKeptByBrowser(cookie)) return `sets ${cookie}`;
  return undefined;
}

/** The name of a browser's cache is the client's own, and no secret. */
function isKeptByBrowser(cookie: string): boolean {
  const isHidden = /; HttpOnly/i.test(cookie) || /^(__Host-)?parley-cache=/.test(cookie);
  return isHidden && /; SameSite=(Lax|Strict)/i.test(cookie);
}

function outcomeProblem(page: PageRoute, step: Step, answer: Answer): string | undefined {
  const { statusCode: status, headers } = answer;
  const is = `is answered with ${status} ${headers.location ?? ""}`;
  const expected = outcomeOf(page, step);
  if (expected === "no organization") {
    const isRight = page.declaration.instead ? status === 404 : status === 303 && headers.location === "/";
    return isRight ? undefined : is;
  }
  if (expected === "foreign") return status === 403 && answer.body.includes(refusal) ? undefined : is;
  if (expected === "not signed in")
    return status === 303 && headers.location?.startsWith("/login") ? undefined : is;
  if (step.site !== "own page" && /parley-session=[^;]/.test(String(headers["set-cookie"] ?? "")))
    return "signs somebody in from elsewhere";
  const isSentAway = page.declaration.session === "required" && headers.location?.startsWith("/login");
  if (isSentAway) return "does not know who is signed in";
  // The provider of the tests can't be reached, which is said.
  if (status === 502 && page.declaration.path === "/auth/:id") return undefined;
  return status >= 500 ? is : undefined;
}
