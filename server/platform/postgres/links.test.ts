import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { linkLibraries } from "./links.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

let dir: string;
let native: string;
let spare: string;

beforeEach(() => {
  dir = makeTemporaryDirectory("parley-links-");
  native = path.join(dir, "package", "native");
  spare = path.join(dir, "spare");
  mkdirSync(path.join(native, "lib"), { recursive: true });
  writeFileSync(path.join(native, "lib", "libicu.so.60.2"), "library");
  const links = [{ source: "native/lib/libicu.so.60.2", target: "native/lib/libicu.so.60" }];
  writeFileSync(path.join(native, "pg-symlinks.json"), JSON.stringify(links));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("links are created beside the libraries, and still work after the checkout was moved", () => {
  expect(linkLibraries(native, spare)).toBeUndefined();
  expect(readlinkSync(path.join(native, "lib", "libicu.so.60"))).toBe("libicu.so.60.2");
});

test("existing links are left as they are", () => {
  linkLibraries(native, spare);
  linkLibraries(native, spare);
  expect(readdirSync(path.join(native, "lib"))).toEqual(["libicu.so.60", "libicu.so.60.2"]);
});

test("a broken link is replaced", () => {
  const link = path.join(native, "lib", "libicu.so.60");
  symlinkSync("libicu.so.59", link);
  linkLibraries(native, spare);
  expect(readFileSync(link, "utf8")).toBe("library");
  expect(readdirSync(path.join(native, "lib"))).toHaveLength(2);
});

test("a package without a list of links needs none", () => {
  rmSync(path.join(native, "pg-symlinks.json"));
  expect(linkLibraries(native, spare)).toBeUndefined();
});
