import { describe, expect, test } from "vitest";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import { html, sendPage } from "./page.ts";

describe("outside the API", () => {
  test("the health page shows the server's own fields", async () => {
    const { call } = await startToyServer();
    const answer = await call("GET", "/health");
    expect([answer.statusCode, body(answer)]).toEqual([200, { status: "ok", version: "1" }]);
    expect((await call("HEAD", "/health")).statusCode).toBe(200);
  });

  test("the health page needs no host, and reports when the server can't serve", async () => {
    const { call } = await startToyServer({ health: async () => Promise.reject(new Error("no database")) });
    const answer = await call("GET", "/health", { headers: { host: "" } });
    expect([answer.statusCode, body(answer)]).toEqual([503, { status: "unavailable" }]);
  });

  test("pages have the strict headers, and their errors are pages too", async () => {
    const { call } = await startToyServer({
      plainPages(app) {
        app.get("/", (_request, reply) => {
          sendPage(reply, 200, { title: "Toys", body: html`<h1>Toys</h1>` });
        });
        app.get("/broken", async () => Promise.reject(new Error("secret detail")));
      },
    });
    const page = await call("GET", "/");
    expect([page.statusCode, page.headers["x-content-type-options"]]).toEqual([200, "nosniff"]);
    const missing = await call("GET", "/nothing");
    expect([missing.statusCode, missing.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    const broken = await call("GET", "/broken");
    expect(broken.statusCode).toBe(500);
    expect(broken.body).not.toContain("secret");
  });
});
