import fastify from "fastify";
import { expect, test } from "vitest";
import { contentSecurityPolicy, html, sendPage } from "./page.ts";

test("what is put into a template is escaped", () => {
  const name = `<img src=x onerror="a('b')">&`;
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</p>',
  );
});

test("templates go into templates as they are, lists of them too, and nothing is nothing", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${false}${3}`.text).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul>3");
});

test("a page is sent under a policy that names its own style and nothing else", async () => {
  const app = fastify();
  app.get("/", (_request, reply) => {
    sendPage(reply, 200, { title: "<Toys>", body: html`<h1>Toys</h1>`, style: "h1 { color: red }" });
  });
  const answer = await app.inject("/");
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.body).toContain("<title>&lt;Toys&gt;</title>");
  expect(answer.body).toContain("<style>h1 { color: red }</style>");
  expect(answer.headers["content-security-policy"]).toBe(
    contentSecurityPolicy({ styles: ["h1 { color: red }"] }),
  );
  expect(answer.headers["content-security-policy"]).toMatch(
    /default-src 'none'.*style-src 'self' 'sha256-[^']+'/,
  );
  expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
});
