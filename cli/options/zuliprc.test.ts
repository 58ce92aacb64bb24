import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkNoFile, parseSite, readZuliprc, writeZuliprc } from "./zuliprc.ts";

const dir = mkdtempSync(path.join(os.tmpdir(), "parley-zuliprc-"));
afterAll(() => rmSync(dir, { recursive: true }));

function read(text: string) {
  const file = path.join(dir, "zuliprc");
  writeFileSync(file, text);
  return readZuliprc(file);
}

describe("a zuliprc file", () => {
  test("names an account and its server", () => {
    expect(read("[api]\nemail=ada@demo.test\nkey=abc\nsite=http://127.0.0.1:9991\n")).toEqual({
      site: "http://127.0.0.1:9991",
      email: "ada@demo.test",
      apiKey: "abc",
    });
  });

  test("may have spaces, quotes, comments, colons and other sections", () => {
    const text =
      '# mine\r\n[other]\r\nkey = no\r\n[api]\r\n; here\r\nemail: "ada@demo.test"\r\nkey = a=b\r\nsite = chat.example.com/\r\n';
    expect(read(text)).toEqual({ site: "https://chat.example.com", email: "ada@demo.test", apiKey: "a=b" });
  });

  test("is refused with the names of missing values", () => {
    expect(() => read("[api]\nemail=ada@demo.test\n")).toThrow(
      /has no site and no key in its section \[api\]\.$/,
    );
  });

  test("is written for its owner only, and never over another", () => {
    const file = path.join(dir, "written");
    const account = { site: "http://127.0.0.1:9991", email: "ada@demo.test", apiKey: "a=b" };
    checkNoFile(file);
    writeZuliprc(file, account);
    expect(readZuliprc(file)).toEqual(account);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => writeZuliprc(file, account)).toThrow(`${file} exists already.`);
    expect(() => checkNoFile(file)).toThrow(`${file} exists already.`);
    expect(() => checkNoFile(path.join(dir, "none", "file"))).toThrow("You can't write files in the folder");
  });

  test("is optional", () => {
    expect(readZuliprc(path.join(dir, "none"))).toBeUndefined();
  });
});

test.each([
  ["chat.example.com", "https://chat.example.com"],
  ["localhost:9991", "http://localhost:9991"],
  ["127.0.0.1:9991/", "http://127.0.0.1:9991"],
  ["https://chat.example.com/api/v1", "https://chat.example.com"],
  ["http://chat.example.com/api/", "http://chat.example.com"],
])("the site '%s' means %s", (written, site) => {
  expect(parseSite(written)).toBe(site);
});

test("a site that is not an address is refused", () => {
  expect(() => parseSite("chat example com")).toThrow("'chat example com' is not the address of a server.");
});
