import { Script } from "node:vm";
import { gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { endpoints, events } from "../../../api/index.ts";
import { addPages } from "../../platform/http/page-routes.ts";
import { referencePages } from "./pages.ts";

/** A server with nothing else. */
function serve(publicUrl: string | undefined, isDevelopment: boolean) {
  const app = Fastify();
  const pages = referencePages({ publicUrl, isDevelopment });
  addPages(app, { pages, publicUrl, stateOf: () => undefined, isDeactivated: () => false });
  return app;
}

const app = serve(undefined, false);

test("the OpenAPI document is served without credentials", async () => {
  const response = await app.inject("/api/v1/openapi.json");
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  const document = response.json();
  expect(document.openapi).toBe("3.1.0");
  const operations = Object.values(document.paths).flatMap((item) => Object.keys(item as object));
  expect(operations).toHaveLength(endpoints.length);
});

test("the page of endpoints loads only this server's files, and all of them exist", async () => {
  const response = await app.inject("/api");
  expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(response.headers["content-security-policy"]).toContain("script-src 'self';");
  expect(response.body).not.toMatch(/<script>|\son\w+=|style="/);
  const files = [...response.body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
    (match) => match[1] ?? "",
  );
  expect(files).toHaveLength(3);
  for (const file of files) {
    const found = await app.inject(file);
    expect([file, found.statusCode]).toEqual([file, 200]);
    expect(found.headers["content-type"]).toMatch(file.endsWith(".css") ? /^text\/css/ : /^text\/javascript/);
    expect(found.body.length).toBeGreaterThan(100);
  }
});

test.each(["/api/reference/swagger-ui-bundle.js", "/api/reference/swagger-ui.css", "/api/v1/openapi.json"])(
  "%s is sent compressed to clients that accept it",
  async (path) => {
    const plain = await app.inject(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers).toMatchObject({ vary: "Accept-Encoding", "cache-control": expect.any(String) });
    const packed = await app.inject({ url: path, headers: { "accept-encoding": "gzip, deflate, br" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    const refusing = await app.inject({ url: path, headers: { "accept-encoding": "gzip;q=0, br" } });
    expect(refusing.headers["content-encoding"]).toBeUndefined();
  },
);

test("the page of endpoints begins with a quick start, whose samples name endpoints that exist", async () => {
  const { body } = await app.inject({ url: "/api", headers: { host: "chat.test" } });
  const text = body
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
  for (const words of ["npx parley bot create", "npx parley api-key", "X-RateLimit-Remaining", "Retry-After"])
    expect(text).toContain(words);
  expect(text).toContain("curl http://chat.test/api/v1/messages");
  const paths = [...text.matchAll(/(?:\{API\}|\/api\/v1|(?:GET|POST)[", `]+)(\/[a-z_]+)/g)].map(
    ([, path]) => path,
  );
  expect(paths.length).toBeGreaterThan(5);
  const known = endpoints.map(({ path }) => path);
  for (const path of paths) expect(known).toContain(path);
});

test("the samples in JavaScript are valid", async () => {
  const { body } = await app.inject({ url: "/api", headers: { host: "chat.test" } });
  const samples = [...body.matchAll(/JavaScript<\/figcaption><pre[^>]*>(.*?)<\/pre>/gs)].map(
    ([, text = ""]) =>
      text
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
        .replaceAll("&gt;", ">")
        .replaceAll("&#39;", "'"),
  );
  expect(samples).toHaveLength(2);
  expect(() => new Script(`(async () => { ${samples.join("\n")} })`)).not.toThrow();
});

test("the quick start of a development server gets a key without a password", async () => {
  const development = serve("https://chat.test", true);
  const { body } = await development.inject("/api");
  expect(body).toContain("curl https://chat.test/api/v1/dev_fetch_api_key -d username=ada@demo.test");
  expect((await app.inject("/api")).body).not.toContain("dev_fetch_api_key");
});

test("all pages follow the dark mode of the system", async () => {
  for (const path of ["/api", "/api/events", "/api/errors"])
    expect((await app.inject(path)).body).toContain("color-scheme: light dark");
  expect((await app.inject("/api/reference/start.js")).body).toContain("prefers-color-scheme: dark");
});

test("an address with a trailing slash leads to the page", async () => {
  const response = await app.inject("/api/");
  expect([response.statusCode, response.headers.location]).toEqual([301, "/api"]);
});

test("the page of events has every type, each with an example", async () => {
  const { body } = await app.inject("/api/events");
  for (const { type } of events) {
    expect(body).toContain(`<h2 id="${type}">`);
    expect(body).toContain(`&quot;type&quot;: &quot;${type}&quot;`);
  }
});

test("the page of errors has codes, statuses and fields, and links to the endpoints that give them", async () => {
  const { body } = await app.inject("/api/errors");
  const row = body.split("\n<tr ").find((one) => one.startsWith('id="badEventQueue"')) ?? "";
  expect(row).toContain("<code>BAD_EVENT_QUEUE_ID</code></td><td>400</td>");
  expect(row).toContain("<code>queue_id</code>");
  expect(row).toContain('<a href="/api#/Real_time/getEvents">getEvents</a>');
});
