/**
 * What a client can make the edge work with one megabyte. Each parser gets hostile texts of several shapes,
 * and may take processor time in proportion to their length only. The bounds are far above what a linear
 * parser takes on a busy machine, and far below what a quadratic one takes.
 */

import { Type } from "typebox";
import { expect, test } from "vitest";
import { optional } from "../../../api/endpoint.ts";
import { fill, hostileForms, MEGABYTE, parts } from "../../../test/harness/hostile-forms.ts";
import { authorization } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import { clientName } from "./client-name.ts";
import { Decoder } from "./decode.ts";
import { parseForm } from "./form.ts";
import { Hosts } from "./host.ts";
import { parseJsonBody } from "./json-body.ts";
import { parseMultipart } from "./multipart.ts";
import { pageFor } from "./page-routes.ts";

/** A linear parser takes at most a tenth of it. */
const BUDGET_MS = 1000;

function milliseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // A refusal is an answer like any other.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(hostileForms)("a megabyte of multipart takes time in proportion to its length: %s", (_, text) => {
  const bytes = Buffer.from(text);
  expect(milliseconds(() => parseMultipart(bytes, "multipart/form-data; boundary=X"))).toBeLessThan(
    BUDGET_MS,
  );
});

test("a boundary that nearly matches everywhere takes time in proportion to the body", () => {
  const type = `multipart/form-data; boundary=${"-".repeat(69)}X`;
  const bytes = Buffer.from(fill(`\r\n${"-".repeat(71)}`));
  expect(milliseconds(() => parseMultipart(bytes, type))).toBeLessThan(BUDGET_MS);
});

test.each([
  ["semicolons", fill(";", 16_000)],
  ["blanks", `;${fill(" ", 16_000)}`],
  ["boundaries without a value", fill("; boundary", 16_000)],
  ["blanks around an equals sign", fill("; boundary \t=\t ", 16_000)],
  ["quotes", fill(';boundary="', 16_000)],
])("a long Content-Type takes time in proportion to its length: %s", (_, more) => {
  const once = () => parseMultipart(Buffer.from("--X--"), `multipart/form-data${more}`);
  expect(milliseconds(() => repeat(60, once))).toBeLessThan(BUDGET_MS);
});

test.each([
  ["fields", fill("a=b&")],
  ["separators", fill("&")],
  ["equals signs", fill("=")],
  ["one long value", `a=${fill("x")}`],
  ["escapes", `a=${fill("%41")}`],
  ["broken escapes", `a=${fill("%4")}`],
  ["percent signs", fill("%")],
  ["plus signs and a broken escape", `a=${fill("+")}%`],
  ["the same name", fill("a&", 1990)],
  ["different names", Array.from({ length: 999 }, (_, index) => `${fill("n", 1000)}${index}=1`).join("&")],
  ["bytes that are no UTF-8", `a=${fill("%ff")}`],
  ["NUL characters", fill("\0")],
])("a megabyte of a form takes time in proportion to its length: %s", (_, text) => {
  const bytes = Buffer.from(text, "latin1");
  expect(milliseconds(() => parseForm(bytes))).toBeLessThan(BUDGET_MS);
});

const anything = Type.Union([
  Type.Array(Type.Union([Type.Integer(), Type.String(), Type.Array(Type.String())])),
  Type.Record(Type.String(), Type.Boolean()),
  Type.Integer(),
]);
const decoder = new Decoder({
  value: optional(anything, { description: "" }),
  either: optional(Type.Union([anything, Type.String()]), { description: "" }),
});

test.each([
  ["opening brackets", fill("[")],
  ["opening braces", fill('{"a":')],
  ["brackets in pairs", `[${fill("[],")}[]]`],
  ["numbers", `[${fill("1,")}1]`],
  ["one long number", fill("9")],
  ["an exponent", `1e${fill("9")}`],
  ["a long string", `"${fill("x")}"`],
  ["a string without an end", `["${fill("x")}`],
  ["backslashes", `["${fill("\\")}`],
  ["escapes", `["${fill("\\u0041")}"]`],
  ["lone surrogates", `["${fill("\\ud800")}"]`],
  ["blanks", `${fill(" ")}[`],
  ["keys", `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":true`).join(",")}}`],
  ["the same key", `{${fill('"k":true,')}"k":true}`],
  ["nested lists", `[${fill(`${"[".repeat(15)}${"]".repeat(15)},`)}[]]`],
  ["text that is no JSON", fill("none")],
])("a megabyte of JSON takes time in proportion to its length: %s", (_, text) => {
  for (const name of ["value", "either"]) {
    expect(milliseconds(() => decoder.decode(undefined, undefined, { [name]: text }))).toBeLessThan(
      BUDGET_MS,
    );
    const decodeBody = (body: string) =>
      decoder.decode(undefined, undefined, parseJsonBody(Buffer.from(body)));
    expect(milliseconds(() => decodeBody(text))).toBeLessThan(BUDGET_MS);
    expect(milliseconds(() => decodeBody(`{"${name}":${text}}`))).toBeLessThan(BUDGET_MS);
    expect(milliseconds(() => decodeBody(JSON.stringify({ [name]: text })))).toBeLessThan(BUDGET_MS);
  }
});

test.each([
  ["different names", Array.from({ length: 999 }, (_, index) => `"${fill("n", 1000)}${index}":1`).join(",")],
  ["numbers as names", Array.from({ length: 80_000 }, (_, index) => `"${index * 7919}":1`).join(",")],
  ["the same name", fill('"value":1,')],
  ["__proto__", fill('"__proto__":{},')],
])("a JSON body with many members takes time in proportion to its length: %s", (_, members) => {
  const bytes = Buffer.from(`{${members.slice(0, members.lastIndexOf(","))}}`);
  expect(milliseconds(() => decoder.decode(undefined, undefined, parseJsonBody(bytes)))).toBeLessThan(
    BUDGET_MS,
  );
});

test("a thousand unknown parameters take little time", () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name ${index}`, "x"]));
  expect(milliseconds(() => decoder.decode(undefined, fields, fields))).toBeLessThan(BUDGET_MS);
});

const HEADER = 16_000;
const headers: [string, string][] = [
  ["letters", fill("a", HEADER)],
  ["dots", fill("a.", HEADER)],
  ["blanks", fill(" ", HEADER)],
  ["blanks between letters", fill("a ", HEADER)],
  ["colons", fill(":", HEADER)],
  ["brackets", fill("[:", HEADER)],
  ["slashes", fill("a/", HEADER)],
  ["digits", fill("1", HEADER)],
];

test.each(headers)("long Host and User-Agent headers take little time: %s", (_, text) => {
  const hosts = new Hosts(undefined);
  const once = (index: number) => {
    hosts.read(`${text}${index}`);
    clientName(`${text}${index}`);
  };
  expect(milliseconds(() => repeat(60, once))).toBeLessThan(BUDGET_MS);
});

test.each([
  ...headers,
  ["base64", Buffer.from(fill("x", 12_000)).toString("base64")],
  ["base64 of colons", Buffer.from(fill(":", 12_000)).toString("base64")],
])("long Authorization headers take little time: %s", async (_, text) => {
  const { call } = await startToyServer();
  const before = process.cpuUsage();
  for (let count = 0; count < 60; count++) {
    const answer = await call("GET", "/api/v1/user", { headers: { authorization: `Basic ${text}${count}` } });
    expect(answer.statusCode).toBe(401);
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2 * BUDGET_MS);
});

test.each([
  ["fields", fill("a=b&", HEADER)],
  ["separators", fill("&", HEADER)],
  ["escapes", `a=${fill("%41", HEADER)}`],
  ["broken escapes", `a=${fill("%4", HEADER)}`],
  ["plus signs", `a=${fill("+", HEADER)}`],
  ["different names", Array.from({ length: 2000 }, (_, index) => `n${index}`).join("&")],
  ["brackets", fill("a[b][]=1&", HEADER)],
])("long query strings take little time: %s", async (_, query) => {
  const { call } = await startToyServer();
  const before = process.cpuUsage();
  for (let count = 0; count < 60; count++) await call("GET", `/api/v1/anyone?${query}`);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2 * BUDGET_MS);
});

/** What takes a server long to parse even where the parser is linear: it is refused if it is parsed. */
const broken = { "content-type": "multipart/form-data; boundary=X" };
const payload = parts("--X\r\nno disposition\r\n\r\nv\r\n");

test.each([
  ["without credentials", {}, 401],
  ["with a wrong key", { authorization: authorization("mia", "x".repeat(32)) }, 401],
  ["with a broken header", { authorization: "Basic !" }, 401],
  ["under an unknown host", { host: "other.test" }, 404],
])("the body of a caller %s is not parsed", async (_, more, status) => {
  const { call } = await startToyServer();
  const answer = await call("POST", "/api/v1/toys", { headers: { ...broken, ...more }, payload });
  expect(answer.statusCode).toBe(status);
  const admitted = await call("POST", "/api/v1/toys", { as: "mia", headers: broken, payload });
  expect([admitted.statusCode, body(admitted).code]).toEqual([400, "BAD_REQUEST"]);
});

test("the body of a caller over the rate limit is not parsed", async () => {
  const rateLimits = { windowSeconds: 3600, perUser: 1, perAddress: 2 };
  const { call } = await startToyServer({ rateLimits });
  const statuses = [];
  // The first call under a host name counts against the address too.
  for (const as of ["mia", "mia", undefined, undefined] as const) {
    const answer = await call("POST", "/api/v1/toys", { ...(as && { as }), headers: broken, payload });
    statuses.push(answer.statusCode);
  }
  expect(statuses).toEqual([400, 429, 401, 429]);
});

test.each([
  ["POST", "/api/v1/nothing", 404],
  ["POST", "/nothing", 404],
  ["PUT", "/api/v1/toys", 405],
])("the body of %s %s, which nothing serves, is not parsed", async (method, path, status) => {
  const { call } = await startToyServer();
  const answer = await call(method, path, { as: "mia", headers: broken, payload });
  expect(answer.statusCode).toBe(status);
});

test("a caller without an account may send 64 kB, others a megabyte", async () => {
  const { call } = await startToyServer({
    pages: [
      pageFor()(
        {
          method: "POST",
          path: "/form",
          origin: { anyone: "it is a toy" },
          organization: "none",
          session: "none",
        },
        ({ reply }) => reply.send("read"),
      ),
    ],
  });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const post = async (path: string, length: number, as?: "mia") =>
    (await call("POST", path, { ...(as && { as }), headers: form, payload: fill("x", length) })).statusCode;
  expect(await post("/form", 64 * 1024)).toBe(200);
  expect(await post("/form", 64 * 1024 + 1)).toBe(413);
  expect(await post("/api/v1/toys", 64 * 1024 + 1, "mia")).toBe(400);
  expect(await post("/api/v1/toys", MEGABYTE + 1, "mia")).toBe(413);
  const anyone = async (length: number) =>
    (await call("GET", "/api/v1/anyone", { headers: form, payload: fill("x", length) })).statusCode;
  expect(await anyone(64 * 1024)).toBe(200);
  expect(await anyone(64 * 1024 + 1)).toBe(413);
});

function repeat(times: number, work: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) {
    try {
      work(index);
    } catch {
      // As above.
    }
  }
}
