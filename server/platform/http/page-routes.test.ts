import { describe, expect, test } from "vitest";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { authorization } from "../../../test/harness/toy-api.ts";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import type { HttpOptions } from "./app.ts";
import type { Caller } from "./caller.ts";
import { type PageRoute, type PageVisitors, pageFor, publicFile } from "./page-routes.ts";

const page = pageFor<Caller>();
const own = { origin: "http://toy.test" };

/** A browser's cookie says how its session is. Basic credentials always count. */
const pageVisitors: PageVisitors = {
  signInPath: "/enter",
  async find({ state }, { headers }) {
    const [, session] = /parley-session=(\w+)/.exec(headers.cookie ?? "") ?? [];
    if (session === "ended") throw new ApiError(errors.sessionEnded);
    if (session === undefined && headers.authorization === undefined) return undefined;
    const user = { id: 3 as UserId, role: roles.member };
    return { state, client: "toy", user, mustSetUpSecondStep: session === "halfway" };
  },
};

const withSession = (session: string) => ({ cookie: `parley-session=${session}` });

const start = (pages: readonly PageRoute[], change: Partial<HttpOptions> = {}) =>
  startToyServer({ pages, pageVisitors, ...change });

describe("a page of an active organization", () => {
  const pages = [
    page({ method: "GET", path: "/a", organization: "active", session: "none" }, ({ reply, state }) =>
      reply.send(`organization ${state.organizationId}`),
    ),
    page(
      {
        method: "GET",
        path: "/b",
        organization: "active",
        session: "none",
        instead: (reply) => reply.code(404).send("nothing"),
      },
      ({ reply }) => reply.send("something"),
    ),
  ];

  test("is served there, and elsewhere the start page follows, or what it declares", async () => {
    const { all, call } = await start(pages);
    expect((await call("GET", "/a")).body).toMatch(/^organization \d+$/);
    const visit = async (path: string, host: string) => {
      const { statusCode, headers } = await call("GET", path, { headers: { host } });
      return [statusCode, headers.location];
    };
    for (const host of ["nowhere.test", "not a host"]) {
      expect(await visit("/a", host)).toEqual([303, "/"]);
      expect(await visit("/b", host)).toEqual([404, undefined]);
    }
    all.state.isDeactivated = true;
    expect(await visit("/a", "toy.test")).toEqual([303, "/"]);
    expect(await visit("/b", "toy.test")).toEqual([404, undefined]);
  });

  test("asks the log first, and once more before it says that there is none", async () => {
    const asked: boolean[] = [];
    let isActive = false;
    const { call } = await start(pages, {
      isDeactivated: () => !isActive,
      async catchUp(_state, isDoubted) {
        asked.push(isDoubted);
        if (isDoubted) isActive = true;
      },
    });
    expect((await call("GET", "/a")).statusCode).toBe(200);
    expect((await call("GET", "/a")).statusCode).toBe(200);
    expect(asked).toEqual([false, true, false]);
  });
});

test("a page of any organization, or of none, says itself what it shows", async () => {
  const { all, call } = await start([
    page({ method: "GET", path: "/any", organization: "any", session: "none" }, ({ reply, state }) =>
      reply.send(state ? "there" : "nowhere"),
    ),
    page({ method: "GET", path: "/none", organization: "none", session: "none" }, (visit) =>
      visit.reply.send("state" in visit ? String(visit.state) : "no field"),
    ),
  ]);
  all.state.isDeactivated = true;
  expect((await call("GET", "/any")).body).toBe("there");
  expect((await call("GET", "/any", { headers: { host: "nowhere.test" } })).body).toBe("nowhere");
  expect((await call("GET", "/none")).body).toBe("undefined");
});

describe("a form", () => {
  const served: string[] = [];
  const form = (path: string, origin: "own page" | "secret address" | { anyone: string }) =>
    page({ method: "POST", path, origin, organization: "any", session: "none" }, (visit) => {
      served.push(path);
      return visit.reply.send(visit.isFromOwnPage ? "own" : "foreign");
    });
  const pages = [
    form("/own", "own page"),
    form("/secret/:code", "secret address"),
    form("/all", { anyone: "toys" }),
  ];

  test.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://toy.test" },
    { origin: "http://sub.toy.test", "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    {},
  ])("takes nothing from elsewhere if it is of own pages: %j", async (headers) => {
    const { call } = await start(pages);
    served.length = 0;
    const refused = await call("POST", "/own", { headers });
    expect([refused.statusCode, refused.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
    expect(served).toEqual([]);
    expect((await call("POST", "/secret/x", { headers })).body).toBe("foreign");
    expect((await call("POST", "/all", { headers })).body).toBe("foreign");
  });

  test.each([own, { "sec-fetch-site": "same-origin" }])(
    "takes what an own page sends: %j",
    async (headers) => {
      const { call } = await start(pages);
      for (const path of ["/own", "/secret/x", "/all"])
        expect((await call("POST", path, { headers })).body).toBe("own");
    },
  );

  test("that does not say whose requests it takes, or why, is refused with what to do", () => {
    const declared = { method: "POST", path: "/own", organization: "any", session: "none" } as const;
    // @ts-expect-error A form has an origin.
    expect(() => page(declared, ({ reply }) => reply)).toThrow(
      'the form POST /own does not say whose requests it takes: give it the origin "own page", unless',
    );
    expect(() => form("/own", "secret address")).toThrow("has no secret in its address");
    expect(() => form("/own", { anyone: " " })).toThrow("say why no other site can do harm by it");
  });
});

describe("a page that is read", () => {
  const entering = (signsIn?: string) =>
    page(
      {
        method: "GET",
        path: "/enter-by-link",
        organization: "any",
        session: "none",
        ...(signsIn && { signsIn }),
      },
      ({ reply, cookie }) => {
        cookie.set("a-token");
        return reply.header("Set-Cookie", cookie.header ?? "").send("in");
      },
    );

  test("signs nobody in, wherever its request comes from", async () => {
    const { call } = await start([entering()]);
    for (const headers of [own, { "sec-fetch-site": "same-origin" }, {}]) {
      const { statusCode, headers: answered } = await call("GET", "/enter-by-link", { headers });
      expect([statusCode, answered["set-cookie"]]).toEqual([500, undefined]);
    }
  });

  test("signs people in if it says why a link can't", async () => {
    const { call } = await start([entering("a cookie of ten minutes says that it began here")]);
    expect((await call("GET", "/enter-by-link")).headers["set-cookie"]).toContain("a-token");
    expect(() => entering(" ")).toThrow("say why no link");
  });
});

test("a form signs people in only if it declares that", async () => {
  const entering = (path: string, more: { signsIn?: true }) =>
    page(
      { method: "POST", path, origin: "own page", organization: "any", session: "none", ...more },
      ({ reply, cookie }) => {
        cookie.set("a-token");
        return reply.header("Set-Cookie", cookie.header ?? "").send("in");
      },
    );
  const { call } = await start([entering("/silent", {}), entering("/declared", { signsIn: true })]);
  const silent = await call("POST", "/silent", { headers: own });
  expect([silent.statusCode, silent.headers["set-cookie"]]).toEqual([500, undefined]);
  const declared = await call("POST", "/declared", { headers: own });
  expect(declared.headers["set-cookie"]).toContain("a-token");
});

describe("a page with a session", () => {
  const who = (viewer: Caller | undefined) => `${viewer?.user.id ?? "nobody"}`;
  const pages = [
    page({ method: "GET", path: "/if-any", organization: "any", session: "if any" }, ({ reply, viewer }) =>
      reply.send(who(viewer)),
    ),
    page(
      { method: "GET", path: "/required", organization: "active", session: "required" },
      ({ reply, viewer }) => reply.send(who(viewer)),
    ),
    page(
      {
        method: "GET",
        path: "/halfway",
        organization: "active",
        session: "required",
        isForSecondStepSetup: true,
      },
      ({ reply, viewer }) => reply.send(who(viewer)),
    ),
  ];

  test("that may be there shows nobody where it is not, has ended or lacks a second step", async () => {
    const { call } = await start(pages);
    const visit = async (headers: Record<string, string>) => (await call("GET", "/if-any", { headers })).body;
    expect(await visit(withSession("alive"))).toBe("3");
    expect(await visit({ authorization: authorization("mia") })).toBe("3");
    for (const headers of [{}, withSession("ended"), withSession("halfway")])
      expect(await visit(headers)).toBe("nobody");
  });

  test("that must be there leads to the form for signing in, and from there to where it was asked to go", async () => {
    const { call } = await start(pages);
    expect((await call("GET", "/required", { headers: withSession("alive") })).body).toBe("3");
    for (const headers of [
      {},
      withSession("ended"),
      withSession("halfway"),
      { authorization: authorization("mia") },
    ]) {
      const { statusCode, headers: answer } = await call("GET", "/required?next=/inbox", { headers });
      expect([statusCode, answer.location]).toEqual([303, "/enter?next=%2Finbox"]);
    }
    const away = await call("GET", "/required?next=//evil.example");
    expect(away.headers.location).toBe("/enter?next=%2F");
  });

  test("that lacks a second step is enough where a page says so", async () => {
    const { call } = await start(pages);
    expect((await call("GET", "/halfway", { headers: withSession("halfway") })).body).toBe("3");
  });

  test("is not served by a server that knows no sessions", async () => {
    await expect(startToyServer({ pages })).rejects.toThrow(
      "GET /if-any has a session, and nothing finds it",
    );
  });
});

test("a page gets what it declares, and the types say so", () => {
  const read = { method: "GET", path: "/a" } as const;
  const pages = [
    page({ ...read, organization: "none", session: "none" }, (visit) => {
      // @ts-expect-error There is no organization.
      return visit.reply.send(visit.state);
    }),
    page({ ...read, organization: "any", session: "none" }, ({ reply, state }) => {
      // @ts-expect-error There may be none.
      return reply.send(state.organizationId);
    }),
    page({ ...read, organization: "active", session: "if any" }, ({ reply, viewer }) => {
      // @ts-expect-error Nobody may be signed in.
      return reply.send(viewer.client);
    }),
    // @ts-expect-error A session belongs to an organization.
    page({ ...read, organization: "none", session: "if any" }, ({ reply }) => reply),
    // @ts-expect-error A page that is read compares no origin.
    page({ ...read, origin: "own page", organization: "none", session: "none" }, ({ reply }) => reply),
    page({ method: "GET", path: "/a/:id", organization: "none", session: "none" }, ({ reply, params }) => {
      // @ts-expect-error The path has another parameter.
      return reply.send(params.name);
    }),
  ];
  expect(pages).toHaveLength(6);
});

test("a page whose address has a secret names it to nobody", async () => {
  const { call } = await start([
    page(
      {
        method: "GET",
        path: "/s/:code/:kind",
        organization: "none",
        session: "none",
        referrer: "no-referrer",
      },
      ({ reply, params, query }) => reply.send(`${params.code} ${params.kind} ${query.more}`),
    ),
  ]);
  const { body, headers } = await call("GET", "/s/a/b?more=c");
  expect([body, headers["referrer-policy"]]).toEqual(["a b c", "no-referrer"]);
});

test("a file is the same at every host, and answers a HEAD", async () => {
  const { call } = await start([
    publicFile("/f/:name", ({ reply, params }) => reply.send(params.name)),
    publicFile("/g", ({ reply }) => reply.send("g")),
  ]);
  expect((await call("GET", "/f/a", { headers: { host: "" } })).body).toBe("a");
  for (const path of ["/f/a", "/g"]) {
    const { statusCode, headers } = await call("HEAD", path);
    expect([statusCode, headers["content-length"]]).toEqual([200, "1"]);
  }
});
