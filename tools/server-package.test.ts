import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildOnly, manifestOf, shrinkwrapOf } from "./server-package.js";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

test("the package's list has what its packages need, where Node.js finds it, and nothing else", () => {
  const manifest = { name: "example", version: "1.0.0", dependencies: { a: "1.0.0" } };
  const packages = {
    "": { dependencies: { a: "1.0.0", compiler: "1.0.0" }, devDependencies: { test: "1.0.0" } },
    "node_modules/a": { dependencies: { b: "^1.0.0" } },
    "node_modules/a/node_modules/b": { optionalDependencies: { c: "^1.0.0" } },
    "node_modules/b": {},
    "node_modules/c": {
      peerDependencies: { absent: "^1.0.0", d: "^1.0.0", compiler: "^1.0.0" },
      peerDependenciesMeta: { compiler: { optional: true } },
    },
    "node_modules/d": {},
    "node_modules/compiler": { dependencies: { b: "^2.0.0" } },
    "node_modules/test": { dev: true },
  };
  const { packages: kept } = shrinkwrapOf({ packages }, manifest);
  expect(Object.keys(kept)).toEqual([
    "",
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/c",
    "node_modules/d",
  ]);
  expect(kept[""]).toEqual({ dependencies: { a: "1.0.0" }, optionalDependencies: undefined });
});

test("the package can be installed, and has no scripts and no packages of a build", () => {
  const manifest = manifestOf(read("package.json"));
  expect(manifest).not.toHaveProperty("private");
  expect(manifest).not.toHaveProperty("scripts");
  expect(manifest).not.toHaveProperty("devDependencies");
  const { dependencies } = read("package.json");
  for (const name of buildOnly) {
    expect(Object.keys(dependencies)).toContain(name);
    expect(Object.keys(manifest.dependencies)).not.toContain(name);
  }
});

test("nothing that runs imports a package of a build", () => {
  const sources = ["api", "cli", "client", "markdown", "server"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => path.join(root, folder, file)),
  );
  const importing = new RegExp(`(?:from|import\\(?) ?"(?:${buildOnly.join("|")})["/]`);
  expect(sources.filter((file) => importing.test(readFileSync(file, "utf8")))).toEqual([]);
});
