import { expect, test } from "vitest";
import { authorization } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import { html, sendPage } from "./page.ts";
import { publicFile } from "./page-routes.ts";

test("credentials that a browser sends for a page of another site are refused", async () => {
  const { all, call } = await startToyServer();
  const from = async (site: string, path = "/api/v1/user") =>
    call("GET", path, { as: "mia", headers: { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" } });
  for (const site of ["same-origin", "same-site", "none"]) expect((await from(site)).statusCode).toBe(200);
  const refused = await from("cross-site");
  expect([refused.statusCode, body(refused).code]).toEqual([401, "UNAUTHORIZED"]);
  expect(refused.headers["www-authenticate"]).toBeUndefined();
  expect((await from("cross-site", "/api/v1/anyone")).statusCode).toBe(200);
  expect(all.counts.authenticated).toBe(1);
});

test("a browser gets no challenge to ask its user for credentials, programs do", async () => {
  const { call } = await startToyServer();
  const wrong = { authorization: authorization("mia", "x".repeat(32)) };
  for (const headers of [{}, wrong]) {
    const program = await call("GET", "/api/v1/user", { headers });
    expect([program.statusCode, program.headers["www-authenticate"]]).toEqual([401, 'Basic realm="parley"']);
    const browser = await call("GET", "/api/v1/user", {
      headers: { ...headers, "sec-fetch-mode": "navigate" },
    });
    expect([browser.statusCode, browser.headers["www-authenticate"]]).toEqual([401, undefined]);
  }
});

test("over plain http, where browsers do not say what they are, what they open gets no challenge either", async () => {
  const { call } = await startToyServer();
  const challenge = async (accept?: string) => {
    const answer = await call("GET", "/api/v1/user", { headers: accept === undefined ? {} : { accept } });
    return [answer.statusCode, answer.headers["www-authenticate"]];
  };
  const page = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
  for (const accept of [page, "text/html", "TEXT/HTML", "image/avif,image/webp,*/*"])
    expect(await challenge(accept), accept).toEqual([401, undefined]);
  for (const accept of [undefined, "*/*", "application/json", "application/json, text/html;q=0.1"])
    expect(await challenge(accept), accept).toEqual([401, 'Basic realm="parley"']);
});

test("answers of the API are not cached, and pages are closed to other origins", async () => {
  const { call } = await startToyServer({
    pages: [
      publicFile("/", ({ reply }) => sendPage(reply, 200, { title: "Toys", body: html`<h1>Toys</h1>` })),
    ],
  });
  for (const path of ["/api/v1/user", "/api/v1/anyone", "/api/v1/nothing"]) {
    expect((await call("GET", path)).headers["cache-control"]).toBe("no-store");
  }
  for (const path of ["/", "/nothing"]) {
    expect((await call("GET", path)).headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  }
});
