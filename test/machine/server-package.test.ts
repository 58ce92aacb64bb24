/**
 * The server's package as people install it: by npm, in a folder elsewhere, with nothing of the checkout. The
 * packages it needs are copied from the checkout, so no registry is asked.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isWebStale } from "../../tools/is-stale.js";
import { copyPackages } from "../../tools/production-packages.js";
import { buildOnly } from "../../tools/server-package.js";
import { build, call, isRoot, start, temporaryDirectory } from "../e2e/parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
const tool = (name: string, ...words: string[]) =>
  execFileSync(process.execPath, [path.join(root, "tools", name), ...words]);

beforeAll(() => {
  build();
  if (isWebStale()) tool("build-web.js");
});

test("the package is installed by npm, and its command runs from any folder, as any user", async () => {
  const dir = temporaryDirectory();
  tool("pack-server.js", path.join(dir, "parley.tgz"));
  execFileSync("tar", ["-xzf", "parley.tgz", "--no-same-owner"], { cwd: dir });
  const unpacked = path.join(dir, "package");
  copyPackages(root, unpacked, JSON.parse(readFileSync(path.join(unpacked, "npm-shrinkwrap.json"), "utf8")));
  const copied = readdirSync(path.join(unpacked, "node_modules"));
  expect([...buildOnly, "typescript"].filter((name) => copied.includes(name))).toEqual([]);
  const npm = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync("npm", words, { cwd: unpacked, encoding: "utf8" });
    expect([status, stderr], stdout).toEqual([0, expect.not.stringContaining("npm error")]);
  };
  // Nothing is missing, and nothing has another version than the package wants.
  npm("ls", "--all", "--omit=dev");
  const prefix = path.join(dir, "prefix");
  mkdirSync(prefix);
  npm("install", "--global", "--offline", "--ignore-scripts", "--prefix", prefix, unpacked);
  const program = path.join(prefix, "bin", "parley");
  expect(realpathSync(program)).toBe(realpathSync(path.join(unpacked, "bin", "parley.js")));

  const person = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const state = temporaryDirectory(person);
  const options = {
    program,
    person,
    cwd: state,
    env: { HOME: state, PARLEY_DATA_DIR: path.join(state, "data") },
  };
  const server = await start(["serve"], options);
  expect(readdirSync(state)).toContain("data");
  for (const page of ["/health", "/client-build", "/api", "/help"]) {
    expect((await fetch(`${server.url}${page}`)).status, page).toBe(200);
  }
  const listed = await call(["organization", "list"], options);
  expect([listed.code, listed.stderr]).toEqual([0, ""]);
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(existsSync(path.join(unpacked, "dist", "web"))).toBe(true);
});
