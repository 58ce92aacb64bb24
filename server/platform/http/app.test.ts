import { describe, expect, test } from "vitest";
import { authorization } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

const manyNames = Array.from({ length: 1001 }, (_, index) => [`name${index}`, 1] as const);

describe("a success", () => {
  test("carries result, msg and the reply's fields, and ends with a newline", async () => {
    const { call } = await startToyServer();
    const answer = await call("POST", "/api/v1/toys", {
      as: "mia",
      headers: form,
      payload: "to=3&content=hi",
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.body).toBe('{"result":"success","msg":"","given":{"to":3,"content":"hi"}}\n');
  });

  test("has a request id, and headers that forbid content sniffing", async () => {
    const { call } = await startToyServer();
    const first = await call("GET", "/api/v1/anyone");
    const second = await call("GET", "/api/v1/anyone", { headers: { "x-request-id": "mine" } });
    expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f]{12}-\w+$/);
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(second.headers["x-request-id"]).not.toBe("mine");
    expect(first.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    });
    expect(first.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("may include JSON that is serialized already", async () => {
    const { call } = await startToyServer();
    expect(body(await call("GET", "/api/v1/raw"))).toEqual({
      result: "success",
      msg: "",
      given: [1, 2, "three"],
    });
  });

  test("lists the parameters that the endpoint does not know", async () => {
    const { call } = await startToyServer();
    const answer = await call("GET", "/api/v1/toys/1?odd=1&toy_id=5&client=x", { as: "mia" });
    expect(body(answer)).toEqual({
      result: "success",
      msg: "",
      given: { toyId: 1 },
      ignored_parameters_unsupported: ["odd"],
    });
  });
});

describe("bodies", () => {
  const expected = { to: "x", content: "y" };

  test.each([
    ["a form", form, "to=x&content=y"],
    [
      "a form with a charset",
      { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
      "to=x&content=y",
    ],
    [
      "a form with an uppercase type",
      { "content-type": "APPLICATION/X-WWW-FORM-URLENCODED" },
      "to=x&content=y",
    ],
    ["JSON", { "content-type": "application/json" }, '{"to":"x","content":"y"}'],
    [
      "JSON with a charset",
      { "content-type": "Application/JSON ; charset=utf-8" },
      '{"to":"x","content":"y"}',
    ],
    [
      "multipart",
      { "content-type": "multipart/form-data; boundary=b" },
      '--b\r\nContent-Disposition: form-data; name="to"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="content"\r\n\r\ny\r\n--b--\r\n',
    ],
  ])("%s is parsed", async (_, headers, payload) => {
    const { call } = await startToyServer();
    expect(body(await call("POST", "/api/v1/toys", { as: "mia", headers, payload })).given).toEqual(expected);
  });

  test.each([
    ["JSON of another type", "application/json-seq", '{"to":"z"}'],
    ["an empty body of JSON", "application/json", ""],
    ["a type without a name", ";;;", "to=x&content=y"],
    ["XML", "text/xml", "<a/>"],
    ["no type", undefined, "to=x&content=y"],
  ])("%s counts as no parameters", async (_, type, payload) => {
    const { call } = await startToyServer();
    const headers = type === undefined ? {} : { "content-type": type };
    const answer = await call("POST", "/api/v1/toys?to=x&content=y", { as: "mia", headers, payload });
    expect(body(answer).given).toEqual(expected);
  });

  test("a GET also takes parameters from a form, which may be longer than a URL", async () => {
    const { call } = await startToyServer();
    const words = Array.from({ length: 10_000 }, (_, index) => `word${index}`);
    const payload = `words=${encodeURIComponent(JSON.stringify(words))}`;
    const answer = await call("GET", "/api/v1/toys/4?count=2", { as: "mia", headers: form, payload });
    expect(body(answer).given).toEqual({ toyId: 4, count: 2, words });
  });

  test("a DELETE also takes parameters from a form", async () => {
    const { call } = await startToyServer();
    const answer = await call("DELETE", "/api/v1/toys/4", { as: "mia", headers: form, payload: "count=2" });
    expect(body(answer).given).toEqual({ toyId: 4, count: 2 });
  });

  test.each([
    ["truncated multipart", { "content-type": "multipart/form-data; boundary=b" }, "--b\r\nContent"],
    ["multipart without a boundary", { "content-type": "multipart/form-data" }, "x"],
    ["multipart with a malformed type", { "content-type": "multipart/form-data;=;;boundary" }, "x"],
    ["a form with too many fields", form, "a&".repeat(2000)],
  ])("%s is refused", async (_, headers, payload) => {
    const { call } = await startToyServer();
    const answer = await call("POST", "/api/v1/toys", { as: "mia", headers, payload });
    expect([answer.statusCode, body(answer).code]).toEqual([400, "BAD_REQUEST"]);
  });

  test.each([
    ["broken", "{", "is not valid JSON"],
    ["of invalid UTF-8", Buffer.from('{"to":"\xff"}', "latin1"), "is not valid JSON"],
    ["a list", "[]", "must be a JSON object"],
    ["a string", '"to=x&content=y"', "must be a JSON object"],
    ["null", "null", "must be a JSON object"],
    ["nested deeply", `{"to":${"[".repeat(21)}${"]".repeat(21)}}`, "nested too deep"],
    ["an object of 1,001 members", JSON.stringify(Object.fromEntries(manyNames)), "could not be read"],
  ])("a JSON body that is %s is refused in one sentence", async (_, payload, reason) => {
    const { call } = await startToyServer();
    const headers = { "content-type": "application/json" };
    const answer = await call("POST", "/api/v1/toys", { as: "mia", headers, payload });
    expect([answer.statusCode, body(answer).code]).toEqual([400, "BAD_REQUEST"]);
    expect(body(answer).msg).toMatch(/^The [^.]+\.$/);
    expect(body(answer).msg).toContain(reason);
  });

  test("members of a JSON body that the endpoint does not support are named in the answer", async () => {
    const { call } = await startToyServer();
    const headers = { "content-type": "application/json" };
    const payload = '{"to":[1],"content":"y","__proto__":{"name":"x"},"constructor":1,"sise":[{}]}';
    const answer = await call("POST", "/api/v1/toys", { as: "mia", headers, payload });
    expect(body(answer)).toMatchObject({
      given: { to: [1], content: "y" },
      ignored_parameters_unsupported: ["__proto__", "constructor", "sise"],
    });
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  test("a body over a megabyte is refused", async () => {
    const { call } = await startToyServer();
    const payload = `content=${"x".repeat(1024 * 1024)}`;
    const answer = await call("POST", "/api/v1/toys", { as: "mia", headers: form, payload });
    expect([answer.statusCode, body(answer).result]).toEqual([413, "error"]);
  });
});

describe("errors", () => {
  test("a declared one gives its status, code and fields", async () => {
    const { call } = await startToyServer();
    const answer = await call("GET", "/api/v1/declared");
    expect(answer.statusCode).toBe(400);
    expect(body(answer)).toEqual({
      result: "error",
      msg: "Channel 'nowhere' does not exist",
      code: "STREAM_DOES_NOT_EXIST",
      stream: "nowhere",
    });
  });

  test.each(["/broken", "/unwritable"])(
    "an unexpected one at %s gives a plain 500, and is logged once with the request id",
    async (path) => {
      const { all, call } = await startToyServer();
      const answer = await call("GET", `/api/v1${path}?secret=1`);
      expect(answer.statusCode).toBe(500);
      expect(body(answer)).toEqual({ result: "error", msg: "Internal server error" });
      const failures = all.logged.filter((line) => line.includes('"level":50'));
      expect(failures).toHaveLength(1);
      expect(failures[0]).toContain(String(answer.headers["x-request-id"]));
    },
  );

  test.each([
    ["GET", 503, "SERVER_NOT_READY"],
    ["POST", 500, undefined],
  ])("a %s whose connection to the database broke is %d", async (method, status, code) => {
    const { call } = await startToyServer();
    const answer = await call(method, "/api/v1/lost");
    expect([answer.statusCode, body(answer).code]).toEqual([status, code]);
    if (status === 503) expect(answer.headers["retry-after"]).toBe("1");
    else expect(body(answer).msg).toContain("may have been done or not");
  });

  test("the log has no queries, headers or values of rows", async () => {
    const { all, call } = await startToyServer();
    await call("GET", "/api/v1/broken?password=tiger", { as: "mia", headers: { cookie: "session=tiger" } });
    await call("POST", "/api/v1/toys", { as: "mia", headers: form, payload: "to=x&content=tiger" });
    const log = all.logged.join("");
    expect(log).toContain("the database is gone");
    expect(log).toContain('"endpoint":"sendToy"');
    expect(log).not.toContain("tiger");
    expect(log).not.toContain("a secret");
    expect(log).not.toContain(authorization("mia").slice(6));
  });

  test.each(["/api/v1/nothing", "/api/v2/toys", "/api/", "/api", "/api/v1", "/api/v1/toys/1/2"])(
    "there is nothing at %s",
    async (path) => {
      const { call } = await startToyServer();
      const answer = await call("GET", path);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect([answer.statusCode, body(answer).code]).toEqual([404, "NOT_FOUND"]);
    },
  );

  test.each([
    ["PUT", "/api/v1/toys/1", ["DELETE", "GET", "HEAD"]],
    ["HEAD", "/api/v1/toys", ["POST"]],
    ["OPTIONS", "/api/v1/toys", ["POST"]],
    ["POST", "/api/v1/views/a/b", ["PATCH"]],
  ])("%s %s is not allowed, and the response names the allowed methods", async (method, path, allowed) => {
    const { call } = await startToyServer();
    const answer = await call(method, path);
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allowed.join(", ")]);
    if (method === "HEAD") return;
    expect(body(answer)).toEqual({ result: "error", msg: "Method Not Allowed", allowed_methods: allowed });
  });

  test("an unknown host has no organization", async () => {
    const { call } = await startToyServer();
    for (const host of ["other.test", 'a"b', "toy.test.evil"]) {
      const answer = await call("GET", "/api/v1/anyone", { headers: { host } });
      expect([answer.statusCode, body(answer).code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
    }
  });

  test("an organization that can't be loaded gives a 500", async () => {
    const { call } = await startToyServer({ stateOf: async () => Promise.reject(new Error("no database")) });
    expect((await call("GET", "/api/v1/anyone")).statusCode).toBe(500);
  });
});

describe("addresses", () => {
  test("a doubled slash after the version is tolerated", async () => {
    const { call } = await startToyServer();
    expect(body(await call("GET", "/api/v1//toys/3", { as: "mia" })).given).toEqual({ toyId: 3 });
  });

  test.each(["narrow/is/starred", "narrow%2Fis%2Fstarred", "narrow/is%2Fstarred"])(
    "a parameter with slashes may come as %s",
    async (fragment) => {
      const { call } = await startToyServer();
      const answer = await call("PATCH", `/api/v1/views/${fragment}`, { as: "mia" });
      expect(body(answer).given).toEqual({ fragment: "narrow/is/starred" });
    },
  );

  test("characters of an address are percent-encoded UTF-8", async () => {
    const { call } = await startToyServer();
    const answer = await call("PATCH", `/api/v1/views/${encodeURIComponent("café 🦜")}`, { as: "mia" });
    expect(body(answer).given).toEqual({ fragment: "café 🦜" });
  });

  test.each([
    ["/api/v1/views/%ff", 404],
    ["/api/v1/views/%", 404],
    ["/api/v1/views/%zz", 404],
    ["/api/v1/views/a%00b", 400],
    [`/api/v1/toys/${"1".repeat(5000)}`, 414],
    [`/api/v1/views/a?name=${"x".repeat(17_000)}`, 414],
    [`/api/v1/nothing?name=${"x".repeat(17_000)}`, 414],
    ["/api/v1/toys/abc", 400],
  ])("%s is a client error", async (path, status) => {
    const { call } = await startToyServer();
    const method = path.includes("/views/") ? "PATCH" : "GET";
    const answer = await call(method, path, { as: "mia" });
    expect([answer.statusCode, body(answer).result]).toEqual([status, "error"]);
  });
});

describe("who calls", () => {
  const unauthorized = [401, "UNAUTHORIZED"];

  test("without credentials the answer asks for them", async () => {
    const { call } = await startToyServer();
    const answer = await call("GET", "/api/v1/user");
    expect([answer.statusCode, body(answer).code]).toEqual(unauthorized);
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="parley"');
  });

  test("wrong credentials are refused, except at endpoints that anyone may call", async () => {
    const { all, call } = await startToyServer();
    const headers = { authorization: authorization("mia", "x".repeat(32)) };
    const answer = await call("GET", "/api/v1/user", { headers });
    expect([answer.statusCode, body(answer).code]).toEqual(unauthorized);
    expect(all.counts.authenticated).toBe(1);
    expect((await call("GET", "/api/v1/anyone", { headers })).statusCode).toBe(200);
    expect(all.counts.authenticated).toBe(1);
  });

  test("a caller without an account may call only where public access is on", async () => {
    const { all, call } = await startToyServer();
    expect((await call("GET", "/api/v1/spectator")).statusCode).toBe(401);
    expect(body(await call("GET", "/api/v1/spectator", { as: "mia" })).given).toMatchObject({ user: 3 });
    all.state.canSpectate = true;
    expect(body(await call("GET", "/api/v1/spectator")).given).toMatchObject({ user: null });
    const wrong = { authorization: authorization("mia", "x".repeat(32)) };
    expect((await call("GET", "/api/v1/spectator", { headers: wrong })).statusCode).toBe(401);
  });

  test.each([
    ["/user", ["olga", "abel", "mia", "gil"], ""],
    ["/member", ["olga", "abel", "mia"], "BAD_REQUEST"],
    ["/administrator", ["olga", "abel"], "UNAUTHORIZED_PRINCIPAL"],
    ["/owner", ["olga"], "UNAUTHORIZED_PRINCIPAL"],
  ])("%s is for %s", async (path, allowed, code) => {
    const { call } = await startToyServer();
    for (const person of ["olga", "abel", "mia", "gil"] as const) {
      const answer = await call("GET", `/api/v1${path}`, { as: person });
      if (allowed.includes(person)) expect(answer.statusCode).toBe(200);
      else expect([answer.statusCode, body(answer).code]).toEqual([400, code]);
    }
  });

  test("nobody can sign in to a deactivated organization, but its public settings can be read", async () => {
    const { all, call } = await startToyServer();
    all.state.isDeactivated = true;
    const answer = await call("GET", "/api/v1/user", { as: "mia" });
    expect([answer.statusCode, body(answer).code]).toEqual([401, "REALM_DEACTIVATED"]);
    expect((await call("GET", "/api/v1/anyone")).statusCode).toBe(200);
  });

  test("endpoints for development are off in production", async () => {
    const production = await startToyServer();
    const answer = await production.call("GET", "/api/v1/development");
    expect([answer.statusCode, body(answer).code]).toEqual([400, "BAD_REQUEST"]);
    const development = await startToyServer({ isDevelopment: true });
    expect((await development.call("GET", "/api/v1/development")).statusCode).toBe(200);
  });

  test("the client's name comes from the User-Agent, or from the `client` parameter", async () => {
    const { call } = await startToyServer();
    const headers = { "user-agent": "ZulipPython/0.9.1 (Linux)" };
    expect(body(await call("GET", "/api/v1/user", { as: "mia", headers })).given).toMatchObject({
      client: "zulippython",
    });
    expect(body(await call("GET", "/api/v1/user?client=Robot", { as: "mia", headers })).given).toMatchObject({
      client: "robot",
    });
  });

  test("the base URL is the one that the client used", async () => {
    const { call } = await startToyServer();
    const headers = { host: "toy.test:9991" };
    expect(body(await call("GET", "/api/v1/anyone", { headers })).given).toMatchObject({
      baseUrl: "http://toy.test:9991",
    });
  });

  test("a forwarded address is only accepted from a trusted proxy", async () => {
    const headers = { "x-forwarded-for": "192.0.2.9" };
    const plain = await startToyServer();
    expect(body(await plain.call("GET", "/api/v1/anyone", { headers })).given).toMatchObject({
      address: "127.0.0.1",
    });
    const behind = await startToyServer({ trustedProxies: ["127.0.0.1"] });
    expect(body(await behind.call("GET", "/api/v1/anyone", { headers })).given).toMatchObject({
      address: "192.0.2.9",
    });
  });
});
