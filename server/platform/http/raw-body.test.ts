// Bodies in formats of other programs, and keys in addresses: what integrations send.
import { describe, expect, test } from "vitest";
import { authorization, KEY } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const address = `/api/v1/hook?api_key=${KEY}`;

describe("an endpoint for bodies of other programs", () => {
  test.each([
    ["JSON", json, '{"name": "no parameter",  "a":1}'],
    ["broken JSON", json, '{"name":'],
    ["a list in JSON", json, "[1,2]"],
    ["another type", { "content-type": "text/plain" }, "Soup is ready"],
    ["nothing", {}, ""],
  ])("gets the bytes of %s, and no parameter from them", async (_, headers, payload) => {
    const { call } = await startToyServer();
    const answer = await call("POST", `${address}&name=soup`, { headers, payload });
    expect(body(answer).given).toMatchObject({ params: { name: "soup" }, text: payload });
  });

  test("gets the bytes and the fields of a form, whose fields are no parameters", async () => {
    const { call } = await startToyServer();
    const answer = await call("POST", `${address}&name=soup`, { headers: form, payload: "name=theirs&b=2" });
    expect(body(answer)).toMatchObject({
      given: { params: { name: "soup" }, text: "name=theirs&b=2", form: { name: "theirs", b: "2" } },
    });
    expect(body(answer).ignored_parameters_unsupported).toBeUndefined();
  });

  test("takes parameters from a form with a payload", async () => {
    const { call } = await startToyServer();
    const answer = await call("POST", address, { headers: form, payload: "payload=%7B%7D&name=soup" });
    expect(body(answer).given).toMatchObject({ params: { name: "soup", payload: "{}" } });
  });

  test("gets headers by name, but none with credentials", async () => {
    const { call } = await startToyServer();
    const headers = { ...json, "x-kind": "push", cookie: "a=b", authorization: authorization("mia") };
    const answer = await call("POST", "/api/v1/hook", { headers, payload: "{}" });
    expect(body(answer).given).toMatchObject({ kind: "push", secrets: [null, null] });
  });

  test("refuses a body of more than a mebibyte, and 64 KiB of somebody unknown", async () => {
    const { call } = await startToyServer();
    const payload = "x".repeat(1024 * 1024 + 1);
    expect((await call("POST", address, { headers: json, payload })).statusCode).toBe(413);
    expect((await call("POST", "/api/v1/hook", { headers: json, payload: "{}" })).statusCode).toBe(401);
  });
});

describe("a key in the address", () => {
  test("is enough, also if the program sends a header of its own", async () => {
    const { call } = await startToyServer();
    for (const headers of [{}, { authorization: "Bearer something" }]) {
      expect(body(await call("POST", address, { headers })).given).toMatchObject({ user: 3 });
    }
  });

  test.each(["", "short", "x".repeat(32)])("that is wrong is refused: %j", async (key) => {
    const { call } = await startToyServer();
    const answer = await call("POST", `/api/v1/hook?api_key=${key}`, {
      headers: { authorization: authorization("mia") },
    });
    expect([answer.statusCode, body(answer).code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("does not count in a form, nor for other endpoints", async () => {
    const { call } = await startToyServer();
    const payload = `api_key=${KEY}&payload=1&to=x&content=y`;
    for (const path of ["/api/v1/hook", "/api/v1/toys", `/api/v1/toys?api_key=${KEY}`]) {
      expect((await call("POST", path, { headers: form, payload })).statusCode).toBe(401);
    }
  });

  test("is in no line of the log, whatever becomes of the call", async () => {
    const { all, call } = await startToyServer();
    for (const wrong of ["", "x"]) await call("POST", `${address}${wrong}`, { headers: json, payload: "{" });
    await call("POST", `/api/v1/nowhere?api_key=${KEY}`);
    await call("GET", address);
    expect(all.logged.length).toBeGreaterThan(0);
    expect(all.logged.join("")).not.toContain(KEY);
  });

  test("counts against its account, and a wrong one against the address", async () => {
    const rateLimits = { windowSeconds: 3600, perUser: 3, perAddress: 3 };
    const { call } = await startToyServer({ rateLimits });
    // The first call of a host name counts against its address too.
    const left = async (path: string) => (await call("POST", path)).headers["x-ratelimit-remaining"];
    expect([await left(address), await left(address)]).toEqual(["2", "1"]);
    const wrong = `/api/v1/hook?api_key=${"x".repeat(32)}`;
    expect([await left(wrong), await left(wrong), await left(wrong)]).toEqual(["1", "0", "0"]);
    expect((await call("POST", wrong)).statusCode).toBe(429);
    expect(await left(address)).toBe("0");
  });
});
