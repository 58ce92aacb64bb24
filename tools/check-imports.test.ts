import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("check-imports.js", import.meta.url));
let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Files that the wrong imports below may point at, themselves without fault. */
const innocent = {
  "api/errors.ts": "export const errors = 1;",
  "api/index.ts": 'export * from "./errors.ts";',
  "client/connection.ts": 'import { errors } from "../api/errors.ts";\nexport const connection = errors;',
  "markdown/render.ts": 'import { escape } from "./escape.ts";\nexport const render = escape;',
  "markdown/escape.ts": "export const escape = 1;",
  "server/app.ts": 'import { routes } from "./features/channels/handlers.ts";\nexport const app = routes;',
  "server/services.ts": 'import type { User } from "./features/users/user.ts";\nexport type Services = User;',
  "server/platform/db/sql.ts": "export const sql = 1;",
  "server/platform/log/log-entry.ts": "export const entry = 1;",
  "server/features/users/user.ts":
    'import { findUser } from "./store.ts";\nexport type User = typeof findUser;\nexport const user = 1;',
  "server/features/users/store.ts":
    'import type { User } from "./user.ts";\nexport const findUser = (user: User) => user;',
  "server/features/users/account-store.ts": "export const findAccount = 1;",
  "server/features/channels/handlers.ts":
    'import { user } from "../users/user.ts";\nexport const routes = user;',
  "server/features/channels/access.ts":
    'import type { Services } from "../../services.ts";\nexport const access = (services: Services) => services;',
  "server/features/drafts/actions.ts": 'import fs from "node:fs";\nexport const draft = fs;',
  "server/features/channels/access.test.ts":
    'import { connection } from "../../../client/connection.ts";\nconnection;',
  "cli/main.ts": 'import { app } from "../server/app.ts";\napp;',
  "test/harness/harness.ts":
    'import { findUser } from "../../server/features/users/store.ts";\nexport const world = findUser;',
};

function check(files: Record<string, string>): { problems: string[]; status: number | null } {
  root = mkdtempSync(path.join(os.tmpdir(), "parley-imports-"));
  for (const [file, text] of Object.entries({ ...innocent, ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: "utf8" });
  return { problems: stderr.split("\n").filter((line) => line !== ""), status };
}

test("imports that point the right way pass", () => {
  expect(check({})).toEqual({ problems: [], status: 0 });
});

describe("an import that points the wrong way is refused", () => {
  test.each([
    [
      "the contract on the server",
      "api/users.ts",
      "../server/features/users/user.ts",
      "api/ must not depend on server/",
    ],
    [
      "the client on the server",
      "client/state.ts",
      "../server/platform/db/sql.ts",
      "client/ must not depend on server/",
    ],
    [
      "the server on the client",
      "server/features/users/a.ts",
      "../../../client/connection.ts",
      "server/ must not depend on client/",
    ],
    [
      "a lower room on a higher one",
      "server/features/users/a.ts",
      "../channels/access.ts",
      "users stands below channels",
    ],
    [
      "a room on one beside it",
      "server/features/flags/a.ts",
      "../drafts/actions.ts",
      "flags stands beside drafts",
    ],
    [
      "the edge on a subject",
      "server/platform/http/a.ts",
      "../../features/users/user.ts",
      "platform/http stands below users",
    ],
    [
      "a room on another's store",
      "server/features/channels/a.ts",
      "../users/store.ts",
      "it is private to users",
    ],
    [
      "a room on another's second store",
      "server/features/channels/a.ts",
      "../users/account-store.ts",
      "it is private to users",
    ],
    [
      "what puts rooms together on a store",
      "server/modules.ts",
      "./features/users/account-store.ts",
      "it is private to users",
    ],
    [
      "a command on a room's handlers",
      "cli/a.ts",
      "../server/features/channels/handlers.ts",
      "it is private to channels",
    ],
    [
      "a room on what puts rooms together",
      "server/features/users/a.ts",
      "../../app.ts",
      "modules don't know what puts them together",
    ],
    [
      "anything on a test",
      "server/features/users/a.ts",
      "../../../test/harness/harness.ts",
      "nothing may depend on tests",
    ],
    ["what runs in browsers on Node", "client/a.ts", "node:fs", "without Node's modules"],
    ["the same by another name", "markdown/a.ts", "fs", "without Node's modules"],
    ["the contract on a package", "api/a.ts", "fastify", "api/ may only use typebox"],
    ["a file that is not there", "server/features/users/a.ts", "./gone.ts", "there is no such file"],
  ])("%s", (_, file, target, reason) => {
    const { problems, status } = check({ [file]: `import { x } from "${target}";\nexport const y = x;` });
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(problems[0]).toContain(`${file} imports `);
    expect(status).toBe(1);
  });

  test.each([
    ["of types", 'import type { X } from "../channels/access.ts";'],
    ["for its effects", 'import "../channels/access.ts";'],
    ["over several lines", 'import {\n  x,\n  type Y,\n} from "../channels/access.ts";'],
    ["at run time", 'export const later = () => import("../channels/access.ts");'],
  ])("also one %s", (_, text) => {
    expect(check({ "server/features/users/a.ts": text }).problems).toEqual([
      expect.stringContaining("users stands below channels"),
    ]);
  });

  test("files that need each other to load", () => {
    const { problems } = check({
      "server/features/users/a.ts": 'import { b } from "./b.ts";\nexport const a = b;',
      "server/features/users/b.ts": 'import { a } from "./a.ts";\nexport const b = a;',
    });
    expect(problems).toEqual([
      "These import each other: server/features/users/a.ts → server/features/users/b.ts → server/features/users/a.ts",
    ]);
  });
});

test("a file of a package may be imported by its name", () => {
  const text = 'import type { X } from "@example/package/file.js";\nexport type Y = X;';
  expect(check({ "server/features/users/a.ts": text }).problems).toEqual([]);
  expect(check({ "api/a.ts": text }).problems).toEqual([
    expect.stringContaining("api/ may only use typebox"),
  ]);
});

test("a default export and a file that passes on another's exports are refused", () => {
  const { problems } = check({
    "server/features/users/a.ts": "export default 1;",
    "server/features/users/index.ts": 'export { user } from "./user.ts";',
  });
  expect(problems).toEqual([
    "server/features/users/a.ts has a default export: name it.",
    "server/features/users/index.ts passes on another file's exports: import the file that has the thing.",
  ]);
});
