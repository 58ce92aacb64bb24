import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { wrongStores } from "./modules.js";

const program = fileURLToPath(new URL("check-imports.js", import.meta.url));
let root = "";
afterEach(() => root && rmSync(root, { recursive: true, force: true }));

/** Files that the wrong imports below may point at, themselves without fault. */
const innocent = {
  "api/errors.ts": "export const errors = 1;",
  "api/index.ts": 'export * from "./errors.ts";',
  "client/connection.ts": 'import { errors } from "../api/errors.ts";\nexport const connection = errors;',
  "markdown/render.ts": 'import { escape } from "./escape.ts";\nexport const render = escape;',
  "markdown/escape.ts": "export const escape = 1;",
  "server/app.ts": 'import { routes } from "./channels/handlers.ts";\nexport const app = routes;',
  "server/services.ts": 'import type { User } from "./people/user.ts";\nexport type Services = User;',
  "server/platform/db/sql.ts": "export const sql = 1;",
  "server/platform/log/log-entry.ts": "export const entry = 1;",
  "server/people/user.ts":
    'import { findUser } from "./api-key-store.ts";\nexport type User = typeof findUser;\nexport const user = 1;',
  "server/people/api-key-store.ts":
    'import type { User } from "./user.ts";\nexport const findUser = (user: User) => user;',
  "server/people/account-store.ts": "export const findAccount = 1;",
  "server/channels/handlers.ts": 'import { user } from "../people/user.ts";\nexport const routes = user;',
  "server/channels/access.ts":
    'import type { Services } from "../services.ts";\nexport const access = (services: Services) => services;',
  "server/personal/drafts/actions.ts":
    'import fs from "node:fs";\nimport { access } from "../../channels/access.ts";\nexport const draft = [fs, access];',
  "server/website/demo/sample-data.ts":
    'import { draft } from "../../personal/drafts/actions.ts";\nexport const sampleDrafts = draft;',
  "server/channels/access.test.ts": 'import { connection } from "../../client/connection.ts";\nconnection;',
  "cli/main.ts": 'import { app } from "../server/app.ts";\napp;',
  "test/harness/harness.ts":
    'import { findUser } from "../../server/people/api-key-store.ts";\nexport const world = findUser;',
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
      "api/people/users.ts",
      "../../server/people/user.ts",
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
      "server/people/a.ts",
      "../../client/connection.ts",
      "server/ must not depend on client/",
    ],
    [
      "a lower module on a higher one",
      "server/people/a.ts",
      "../channels/access.ts",
      "people stands below channels",
    ],
    [
      "the edge on a subject",
      "server/platform/http/a.ts",
      "../../people/user.ts",
      "platform/http stands below people",
    ],
    [
      "a module on what is not in another's public interface",
      "server/channels/a.ts",
      "../people/account-store.ts",
      "account-store is inside the module people: use what its public interface in tools/modules.js has",
    ],
    [
      "a test of a module on the inside of another",
      "server/channels/a.test.ts",
      "../people/account-store.ts",
      "account-store is inside the module people",
    ],
    [
      "a harness on the inside of a module",
      "test/harness/a.ts",
      "../../server/people/account-store.ts",
      "account-store is inside the module people",
    ],
    [
      "what puts modules together on a store",
      "server/modules.ts",
      "./people/account-store.ts",
      "what puts modules together asks no rows",
    ],
    [
      "a command on a module's handlers",
      "cli/a.ts",
      "../server/channels/handlers.ts",
      "handlers is inside the module channels",
    ],
    [
      "what every module gets on a module above the ground",
      "server/services.ts",
      "./channels/access.ts",
      "every module gets this file, so it knows none above people: let channels make and keep the thing itself",
    ],
    [
      "an action on handlers beside it",
      "server/channels/a.ts",
      "./handlers.ts",
      "only the lists of routes import handlers",
    ],
    [
      "a module on what puts modules together",
      "server/people/a.ts",
      "../app.ts",
      "modules don't know what puts them together",
    ],
    [
      "anything on a test",
      "server/people/a.ts",
      "../../test/harness/harness.ts",
      "nothing may depend on tests",
    ],
    ["what runs in browsers on Node", "client/a.ts", "node:fs", "without Node's modules"],
    ["the same by another name", "markdown/a.ts", "fs", "without Node's modules"],
    ["the contract on a package", "api/a.ts", "fastify", "api/ may only use typebox"],
    ["a file that is not there", "server/people/a.ts", "./gone.ts", "there is no such file"],
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
    expect(check({ "server/people/a.ts": text }).problems).toEqual([
      expect.stringContaining("people stands below channels"),
    ]);
  });

  test("files that need each other to load", () => {
    const { problems } = check({
      "server/people/a.ts": 'import { b } from "./b.ts";\nexport const a = b;',
      "server/people/b.ts": 'import { a } from "./a.ts";\nexport const b = a;',
    });
    expect(problems).toEqual([
      "These import each other: server/people/a.ts → server/people/b.ts → server/people/a.ts",
    ]);
  });
});

test("a folder that is no module, and one that is no feature of its module, are refused", () => {
  const text = "export const a = 1;";
  const { problems } = check({ "server/drafts/a.ts": text, "server/people/moods/a.ts": text });
  expect(problems).toEqual([
    expect.stringContaining("server/drafts/a.ts: there is no module drafts: add it to tools/modules.js"),
    expect.stringContaining("server/people/moods/a.ts: the module people has no feature moods"),
  ]);
});

test("an interface that lists what nobody needs is refused", () => {
  expect(check({ "server/people/viewer/viewer.ts": "export const viewer = 1;" }).problems).toEqual([
    'tools/modules.js lists viewer/viewer in "interface" of people, and nothing needs it there: take it out.',
  ]);
});

test("a store in an interface needs a reason, and a reason a store", () => {
  const people = { name: "people", interface: ["quotas/store", "users"], commands: ["api-key-store"] };
  const reason = "messages make topics in their own transactions";
  expect(wrongStores([people], { "people/api-key-store": reason, "people/store": reason })).toEqual([
    "tools/modules.js lists the store people/quotas/store: let its module have an action for it, or say in publicStores why not.",
    "publicStores in tools/modules.js has people/store, which no interface lists: take it out.",
  ]);
});

test("a file of a package may be imported by its name", () => {
  const text = 'import type { X } from "@example/package/file.js";\nexport type Y = X;';
  expect(check({ "server/people/a.ts": text }).problems).toEqual([]);
  expect(check({ "api/a.ts": text }).problems).toEqual([
    expect.stringContaining("api/ may only use typebox"),
  ]);
});

test("a default export and a file that passes on another's exports are refused", () => {
  const { problems } = check({
    "server/people/a.ts": "export default 1;",
    "server/people/index.ts": 'export { user } from "./user.ts";',
  });
  expect(problems).toEqual([
    "server/people/a.ts has a default export: name it.",
    "server/people/index.ts passes on another file's exports: import the file that has the thing.",
  ]);
});

test.each([
  ["a value", 'import { user } from "./user.ts";\n\nexport { user };'],
  ["a type", 'import { type Name, user } from "./user.ts";\n\nexport type { Name };\nexport const a = user;'],
  ["by another name", 'import {\n  user as found,\n} from "./user.ts";\n\nexport { found as account };'],
])("an export of what was imported is refused, too: %s", (_, text) => {
  expect(check({ "server/people/a.ts": text }).problems).toEqual([
    "server/people/a.ts passes on another file's exports: import the file that has the thing.",
  ]);
});

test("a file may list its own exports", () => {
  const text = 'import { user } from "./user.ts";\n\nconst [a, setA] = user;\n\nexport { a, setA };';
  expect(check({ "server/people/a.ts": text }).problems).toEqual([]);
});
