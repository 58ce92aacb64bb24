import { describe, expect, test } from "vitest";
import { pageFactsOf } from "./page-facts.ts";

const PAGE = "https://example.com/news/today";
const read = (html: string) => pageFactsOf(html, PAGE);
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;

test("Open Graph counts before Twitter's tags, and these before the title", async () => {
  const title = "<title>Plain</title>";
  const twitter = `<meta name='twitter:title' content='Short'>${title}`;
  expect((await read(title)).title).toBe("Plain");
  expect((await read(twitter)).title).toBe("Short");
  expect((await read(`${twitter}<META PROPERTY=og:title CONTENT=Long>`)).title).toBe("Long");
});

test("the first of equal tags counts, and an empty one is none", async () => {
  const { title, description } = await read(
    `${meta("og:title", "One")}${meta("og:title", "Two")}${meta("og:description", "")}<meta name="description" content="Soup">`,
  );
  expect([title, description]).toEqual(["One", "Soup"]);
});

test("character references are read, once", async () => {
  const { title, description } = await read(
    `<title>a &amp;lt;b&gt; &#x1F600; &bogus; c</title>${meta("og:description", "&quot;x&quot; &amp;amp; y")}`,
  );
  expect(title).toBe("a &lt;b> 😀 &bogus; c");
  expect(description).toBe('"x" &amp; y');
});

test("a script in a title is text, and a title in a script is none", async () => {
  expect((await read("<title><script>alert(1)</script></title>")).title).toBe("<script>alert(1)</script>");
  expect((await read("<script>var a = '<title>no</title>'</script>")).title).toBeNull();
  expect((await read("<!-- <title>no</title> --><style>a{}<title>no</title></style>")).title).toBeNull();
});

test("what is in the body is not about the page", async () => {
  expect(await read(`<body><title>no</title>${meta("og:title", "no")}`)).toEqual({
    title: null,
    description: null,
    imageUrl: null,
  });
  expect((await read(`<head></head>${meta("og:title", "no")}`)).title).toBeNull();
});

test("texts are one line, without hidden characters, and cut", async () => {
  expect((await read("<title>\n a\t\u202eb\u0000\u200b\n c </title>")).title).toBe(
    "a b c".replace(" b", " b"),
  );
  const { title, description } = await read(
    `<title>${"ä".repeat(5000)}</title>${meta("og:description", "😀 ".repeat(3000))}`,
  );
  expect([...(title ?? "")]).toHaveLength(200);
  expect(title?.endsWith("…")).toBe(true);
  expect([...(description ?? "")].length).toBeLessThanOrEqual(400);
  expect(description).not.toMatch(/[\ud800-\udbff]…/);
  expect((await read("<title> \u200b </title>")).title).toBeNull();
});

describe("a picture", () => {
  test.each([
    ["/a.png", "https://example.com/a.png"],
    ["b.png", "https://example.com/news/b.png"],
    ["//cdn.example.com/c.png", "https://cdn.example.com/c.png"],
    [" http://other.example/d.png ", "http://other.example/d.png"],
    ["https://bücher.example/ü.png", "https://xn--bcher-kva.example/%C3%BC.png"],
    ["https://example.com/&quot;);x:url(&quot;e.png", "https://example.com/%22);x:url(%22e.png"],
  ])("at %s is at %s", async (given, url) => {
    expect((await read(meta("og:image", given))).imageUrl).toBe(url);
  });

  test.each([
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "java&#10;script:alert(1)",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "https://me:secret@example.com/a.png",
    "https://",
    "http://[",
    `https://example.com/${"a".repeat(3000)}.png`,
  ])("at %s is none", async (given) => {
    expect((await read(meta("og:image", given))).imageUrl).toBeNull();
  });
});

test("huge and deep pages cost little, whatever they are made of", async () => {
  const size = 1024 * 1024;
  const fill = (piece: string) => piece.repeat(Math.floor(size / piece.length));
  const pages = [
    fill("<div>"),
    fill("<a b=c "),
    fill("<meta property=og:title content=x>"),
    `<meta ${fill("a ")}>`,
    `<meta ${fill("content=x ")}>`,
    `<title>${fill("&amp;")}`,
    `<title>${fill("</titl")}`,
    `<meta content="${fill("&#1;")}`,
    `<script>${fill("</scrip")}`,
    fill("<!--"),
    fill("<![CDATA["),
    fill("</"),
    fill("<"),
    fill("&"),
    "\0".repeat(size),
  ];
  const { user } = process.cpuUsage();
  for (const html of pages) await read(html);
  // Each takes some tens of milliseconds. A quadratic one would take minutes.
  expect(process.cpuUsage().user - user).toBeLessThan(15_000_000);
});
