// docs/security-model.md names tests, the classes of mistakes, and the promises of SECURITY.md. It can name
// nothing that is not there, and leave out nothing that is.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mistakes } from "./mistakes.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const page = read("docs/security-model.md");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));

test("each test that the security model names exists", () => {
  const named = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.ts)\)/g)].filter(
    // A link over two lines names a file as a whole.
    ([, title]) => !title?.includes("\n"),
  );
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter(([, title, path]) => {
    const file = new URL(path as string, root);
    return !existsSync(file) || !readFileSync(file, "utf8").includes(`"${title}"`);
  });
  expect(missing.map(([, title, path]) => `${path}: ${title}`)).toEqual([]);
});

test("each row of the security model names a test", () => {
  const heads = ["| who |", "| what went wrong |", "| finding |", "| promise |"];
  const data = rows.filter((row) => !heads.some((head) => row.startsWith(head)));
  expect(data.filter((row) => !/\]\(\.\.\/[^)]+\.ts\)/.test(row))).toEqual([]);
});

test("the security model has each class of mistakes", () => {
  const cells = rows.map((row) => row.split(" | ")[0]?.slice(2));
  expect(mistakes.filter((mistake) => !cells.includes(mistake))).toEqual([]);
});

test("the security model has each finding of the review", () => {
  const cells = new Set(rows.map((row) => row.split(" | ")[0]?.slice(2)));
  const findings = Array.from({ length: 13 }, (_, index) => `F${index + 1}`);
  expect(findings.filter((finding) => !cells.has(finding))).toEqual([]);
});

test("SECURITY.md promises nothing that is not in the security model", () => {
  const text = read("SECURITY.md");
  const section = text.slice(text.indexOf("## What the server promises"));
  const promises = [...section.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, promise]) => promise);
  expect(promises.length).toBeGreaterThan(5);
  const part = page.slice(page.indexOf("## What SECURITY.md promises"));
  const kept = [...part.matchAll(/^\| ([^|]+) \| \[/gm)].map(([, promise]) => promise);
  expect(kept).toEqual(promises);
});

test("every table of an organization has its id first in its key", () => {
  const schema = read("server/platform/db/schema.sql");
  const tables = [...schema.matchAll(/^create table (\w+) \(\n([^;]*?)\n\)/gm)];
  expect(tables.length).toBeGreaterThan(60);
  const owned = tables.filter(([, , body]) => /^ {2}organization_id /m.test(body as string));
  // A table without a primary key has a unique index.
  const wrong = owned.filter(([, name, body]) => {
    const index = new RegExp(
      `^CREATE UNIQUE INDEX \\w+ ON public.${name} USING btree \\(organization_id[,)]`,
      "m",
    );
    const key = /PRIMARY KEY \(([^)]+)\)/.exec(body as string)?.[1];
    return key === undefined ? !index.test(schema) : !/^organization_id\b/.test(key);
  });
  expect(wrong.map(([, name]) => name)).toEqual([]);
});
