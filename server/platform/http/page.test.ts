import fastify from "fastify";
import { expect, test } from "vitest";
import { contentSecurityPolicy, html, sendPage } from "./page.ts";

test("values that are put into a template are escaped", () => {
  const name = `<img src=x onerror="a('b')">&`;
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</p>',
  );
});

test("templates and lists of templates are inserted as they are, undefined and false are left out", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${false}${3}`.text).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul>3");
});

test("a page is sent with a policy that allows its own inline style and no other", async () => {
  const app = fastify();
  app.get("/", (_request, reply) => {
    sendPage(reply, 200, { title: "<Toys>", body: html`<h1>Toys</h1>`, style: "h1 { color: red }" });
  });
  const answer = await app.inject("/");
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.body).toContain("<title>&lt;Toys&gt;</title>");
  expect(answer.body).toContain('<link rel="icon" href="/logo.svg" type="image/svg+xml">');
  expect(answer.body).toContain("<style>h1 { color: red }</style>");
  expect(answer.headers["content-security-policy"]).toBe(
    contentSecurityPolicy({ styles: ["h1 { color: red }"] }),
  );
  expect(answer.headers["content-security-policy"]).toMatch(
    /default-src 'none'.*style-src 'self' 'sha256-[^']+'/,
  );
  expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
});
