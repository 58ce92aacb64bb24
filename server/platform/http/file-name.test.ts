import { expect, test } from "vitest";
import { displayName } from "./file-name.ts";

test.each([
  ["notes.txt", "notes.txt"],
  ["Übersicht 2026.pdf", "Übersicht 2026.pdf"],
  ["/etc/passwd", "passwd"],
  ["C:\\Users\\dev\\plan.doc", "plan.doc"],
  ["../..", "uploaded-file"],
  [".htaccess", "htaccess"],
  ["a\u0000b\r\n.png", "ab.png"],
  ["invoice\u202Egpj.exe", "invoicegpj.exe"],
  ['<img src="x">.svg', "img src=x.svg"],
  ["  two   words . ", "two words"],
  ["", "uploaded-file"],
])("%j is shown as %j", (given, shown) => {
  expect(displayName(given)).toBe(shown);
});

test("a long name keeps its ending", () => {
  const name = displayName(`${"ü".repeat(300)}.tar`);
  expect([...name]).toHaveLength(200);
  expect(name).toMatch(/ü\.tar$/);
  expect([...displayName("x".repeat(300))]).toHaveLength(200);
});
