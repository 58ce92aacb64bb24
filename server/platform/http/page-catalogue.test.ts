import { expect, test } from "vitest";
import { html, writePage } from "./page.ts";
import { pageTexts } from "./page-catalogue.ts";

const text = pageTexts({
  en: { hello: "Hello, {who}!", go: "Go to the {link}." },
  de: { hello: "Hallo, {who}!", go: "Geh zur {link}." },
});

test("a text is written in the language of the page, and what is put into it is escaped", () => {
  const body = html`<p>${text("hello", { who: "<b>" })}</p>`;
  expect(body.in("de")).toBe("<p>Hallo, &lt;b&gt;!</p>");
  expect(body.text).toBe("<p>Hello, &lt;b&gt;!</p>");
});

test("a text takes HTML and other texts as they are", () => {
  const link = html`<a href="/">${text("hello", { who: "Rosa" })}</a>`;
  expect(html`${text("go", { link })}`.in("de")).toBe('Geh zur <a href="/">Hallo, Rosa!</a>.');
});

test("what looks like a name within a value stays what it is", () => {
  expect(html`${text("hello", { who: "{who}" })}`.in("de")).toBe("Hallo, {who}!");
});

test("a page says its language, and that it depends on what the browser asks for", () => {
  const page = writePage({ title: text("hello", { who: "you" }), body: html`<p>1</p>` }, "de");
  expect(page.text).toContain('<html lang="de">');
  expect(page.text).toContain("<title>Hallo, you!</title>");
  expect(page.headers.Vary).toBe("Accept-Language");
});

test("a page without such texts is English for everybody", () => {
  const page = writePage({ title: "Mail", body: html`<p>1</p>` }, "de");
  expect(page.text).toContain('<html lang="en">');
  expect(page.headers.Vary).toBeUndefined();
});

test("a translation that has other names is refused", () => {
  expect(() => pageTexts({ en: { a: "{one}" }, de: { a: "{two}" } })).toThrow("other names");
});
