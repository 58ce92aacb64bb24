import { describe, expect, test } from "vitest";
import { LONG_WINDOW_SECONDS } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import { html, sendPage } from "./page.ts";
import { publicFile } from "./page-routes.ts";

const start = publicFile("/", ({ reply }) =>
  sendPage(reply, 200, { title: "Toys", body: html`<h1>Toys</h1>` }),
);

describe("outside the API", () => {
  test.each(["/health", "/ready"])("%s says that all is well, and needs no host", async (path) => {
    const { call } = await startToyServer();
    const answer = await call("GET", path, { headers: { host: "" } });
    expect([answer.statusCode, body(answer)]).toEqual([200, { status: "ok" }]);
    expect((await call("HEAD", path)).statusCode).toBe(200);
  });

  test("a server that can't serve is not ready, and says why; its process is well", async () => {
    const { call } = await startToyServer({ whyNotReady: async () => "disk" });
    const answer = await call("GET", "/ready");
    expect([answer.statusCode, body(answer)]).toEqual([503, { status: "unavailable", reason: "disk" }]);
    expect(answer.headers["retry-after"]).toBe("1");
    expect((await call("GET", "/health")).statusCode).toBe(200);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("secret detail"))],
    ["never ends", () => new Promise<never>(() => {})],
  ])("a check that %s is answered within the second that probes wait", async (_, whyNotReady) => {
    const { call } = await startToyServer({ whyNotReady });
    const answer = await call("GET", "/ready");
    expect([answer.statusCode, body(answer)]).toEqual([503, { status: "unavailable", reason: "database" }]);
  });

  test("pages have the strict headers, and their errors are pages too", async () => {
    const { call } = await startToyServer({
      pages: [start, publicFile("/broken", async () => Promise.reject(new Error("secret detail")))],
    });
    const page = await call("GET", "/");
    expect([page.statusCode, page.headers["x-content-type-options"]]).toEqual([200, "nosniff"]);
    const missing = await call("GET", "/nothing");
    expect([missing.statusCode, missing.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(missing.body).toContain(`<a href="/">`);
    expect(missing.body).toContain("<style>");
    const broken = await call("GET", "/broken");
    expect(broken.statusCode).toBe(500);
    expect(broken.body).not.toContain("secret");
  });

  test("pages, unknown addresses and the health page count against the address", async () => {
    const { call } = await startToyServer({
      rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 2, perAddress: 2 },
      pages: [start],
    });
    const statuses = [];
    for (const path of ["/", "/nothing", "/", "/nothing", "/api/v1/anyone"]) {
      const answer = await call("GET", path);
      statuses.push(answer.statusCode);
      if (answer.statusCode === 429) expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    }
    expect(statuses).toEqual([200, 404, 429, 429, 429]);
    const probes = [];
    for (let count = 0; count < 11; count++) {
      for (const path of ["/health", "/ready"]) probes.push((await call("GET", path)).statusCode);
    }
    expect(probes).toEqual([...Array(20).fill(200), 429, 429]);
  });

  test("files that are the same for everybody never count, and pages of an office have a higher limit", async () => {
    const { call } = await startToyServer({
      rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 2, perAddress: 2 },
      pages: [
        publicFile("/static", ({ reply }) => reply.send("static"), { limit: "none" }),
        publicFile("/often", ({ reply }) => reply.send("often"), { limit: "files" }),
      ],
    });
    const statusesOf = async (path: string, count: number) => {
      const statuses = new Map<number, number>();
      for (let each = 0; each < count; each++) {
        const { statusCode } = await call("GET", path);
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
      return Object.fromEntries(statuses);
    };
    expect(await statusesOf("/static", 100)).toEqual({ 200: 100 });
    expect(await statusesOf("/often", 45)).toEqual({ 200: 40, 429: 5 });
    expect(await statusesOf("/nothing", 3)).toEqual({ 404: 2, 429: 1 });
    expect(await statusesOf("/static", 3)).toEqual({ 200: 3 });
  });

  test("requests for /ready within a second share one check", async () => {
    let checks = 0;
    const { call } = await startToyServer({
      whyNotReady: async () => {
        checks++;
        return undefined;
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => call("GET", "/ready")));
    expect(checks).toBe(1);
  });
});
