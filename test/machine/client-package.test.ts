/**
 * The client's package as others use it: packed, installed in a folder elsewhere, compiled against, and run
 * against a real server.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { api, build, freePort, signIn, start, usedDirectory, waitUntil } from "../e2e/parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bot = fileURLToPath(new URL("client-package/bot.ts", import.meta.url));
/** More than this is more than types and a small client. */
const MOST_PACKED_BYTES = 200_000;

let folder: string;
let installed: string;
let packedBytes: number;

beforeAll(() => {
  build();
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-client-"));
  execFileSync(process.execPath, [path.join(root, "tools/client-package.js")]);
  npm("pack", path.join(root, "dist/client-package"));
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  packedBytes = statSync(path.join(folder, file)).size;
  write("package.json", { name: "somebody", private: true, type: "module" });
  npm("install", "--offline", "--ignore-scripts", `./${file}`);
  installed = path.join(folder, "node_modules/@parley-chat/client");
  copyFileSync(bot, path.join(folder, "bot.ts"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(...words: string[]): void {
  execFileSync("npm", [...words, "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
}

function write(file: string, content: object | string): void {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** What the compiler says of some files in the folder, and nothing if all is well. */
function compile(files: string[], options: object): string {
  const strict = { strict: true, skipLibCheck: false, noUncheckedIndexedAccess: true, target: "es2022" };
  const compilerOptions = { ...strict, module: "nodenext", ...options };
  write("tsconfig.json", { compilerOptions, files });
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: folder, encoding: "utf8" })
    .stdout;
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
}

test("it has nothing of the server, of this machine or of Node, and depends on nothing", () => {
  const files = filesOf(installed);
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json", "client/index.js"]));
  expect(files.filter((file) => !/^(api|client)\/.*\.(js|d\.ts)$|^[^/]+$/.test(file))).toEqual([]);
  const code = files.filter((file) => /\.(js|ts)$/.test(file));
  const wrong = /typebox|["']node:|sourceMappingURL|\bBuffer\b|\bprocess\.|__dirname|\/tmp\//;
  const told = code.filter((file) => {
    const text = readFileSync(path.join(installed, file), "utf8");
    return wrong.test(text) || text.includes(root) || text.includes(os.homedir() + path.sep);
  });
  expect(told).toEqual([]);
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  const project = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ type: "module", version: project.version, license: project.license });
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  expect(packedBytes).toBeLessThan(MOST_PACKED_BYTES);
});

test("everything that its entries import is in it, and all of that by relative names", () => {
  const names = filesOf(installed)
    .filter((file) => /\.(js|ts)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(installed, file), "utf8");
      const imported = [...text.matchAll(/\b(?:from|import)\s*\(?["']([^"']+)["']/g)];
      return imported.map(([, name = ""]) => ({ file, name }));
    });
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(({ name }) => !/^\.\.?\/.*\.js$/.test(name))).toEqual([]);
});

test.each([
  ["a browser's types", { lib: ["es2022", "dom"], types: [] }],
  ["Node's types", { lib: ["es2022"], types: ["node"], typeRoots: [path.join(root, "node_modules/@types")] }],
  ["a bundler's resolution", { module: "esnext", moduleResolution: "bundler", types: [] }],
])("a strict program compiles with %s", (_, options) => {
  expect(compile(["bot.ts"], { ...options, noEmit: true })).toBe("");
});

test("the examples of its page compile", () => {
  const page = readFileSync(path.join(installed, "README.md"), "utf8");
  const examples = [...page.matchAll(/^```(?:js|ts)\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const setUp =
    'import { createClient } from "@parley-chat/client";\nconst client = createClient({ site: "" });\n';
  const files = examples.map((text, index) => {
    const whole = text.includes("createClient(") ? text : setUp + text;
    write(`example${index}.ts`, `${whole}\nexport {};\n`);
    return `example${index}.ts`;
  });
  expect(files).toHaveLength(3);
  const typeRoots = [path.join(root, "node_modules/@types")];
  expect(compile(files, { noEmit: true, types: ["node"], typeRoots })).toBe("");
});

test("its types say all that the types of the declarations say", () => {
  write("check.ts", typeCheck());
  const options = { noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true };
  const nodeTypes = { types: ["node"], typeRoots: [path.join(root, "node_modules/@types")] };
  expect(compile(["check.ts"], { ...options, ...nodeTypes })).toBe("");
});

test("a program runs: it sends, receives, goes on after a restart of the server, and has typed errors", async () => {
  expect(compile(["bot.ts"], { lib: ["es2022", "dom"], types: [] })).toBe("");
  const port = String(await freePort());
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_PORT: port };
  const first = await start(["demo"], { env });
  const [email = "", key = ""] = (await signIn(first, "dev@demo.test")).split(":");
  const account = { SITE: first.url, EMAIL: email, API_KEY: key };
  const child = spawn(process.execPath, ["bot.js"], { cwd: folder, env: { ...process.env, ...account } });
  onTestFinished(() => void child.kill());
  let [output, errors] = ["", ""];
  child.stdout.on("data", (text) => {
    output += text;
  });
  child.stderr.on("data", (text) => {
    errors += text;
  });
  await waitUntil(() => output.includes("received first") || child.exitCode !== null, "the first message");
  await first.stop();
  const second = await start(["demo"], { env });
  const message = { type: "channel", to: "general", topic: "package", content: "second" };
  await api(second, "POST", "/messages", message, await signIn(second, "ada@demo.test"));
  await waitUntil(() => child.exitCode !== null, "the program's end", 60_000);
  expect(errors).toBe("");
  expect(output.trim().split("\n")).toEqual([
    expect.stringMatching(/^model of Demo with \d+ people$/),
    "queue of 36 characters",
    "no channel NOWHERE",
    "received first",
    "received second",
    expect.stringMatching(/^model has .*first.*second/),
    "ended after 1 snapshot, some trouble",
  ]);
  await second.stop();
}, 180_000);

/**
 * A program that compiles only if the package's types imply those of the declarations, to the last field.
 * They may say more: where a declaration is put together at run time, its static type lacks fields.
 */
function typeCheck(): string {
  const api = path.join(root, "api");
  const modules = readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => path.join(api, name));
  const declared = modules.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^export const (\w+) = (endpoint|event)\(/gm)].map(
      ([, name = "", kind]) => ({ file, name, kind, type: name.charAt(0).toUpperCase() + name.slice(1) }),
    ),
  );
  const lines = declared.flatMap(({ file, name, kind, type }) => {
    const declaration = `typeof import(${JSON.stringify(file)}).${name}`;
    if (kind === "event") return [`implies<P.${type}Event, EventOf<${declaration}>>(true);`];
    // Parameters that have no effect are not in the package, and its events have types of their own.
    const ignored = name === "createChannel" ? '"send_new_subscription_messages"' : "never";
    const parameters = `Omit<CallerParameters<(${declaration})["parameters"]>, ${ignored}>`;
    const reply =
      name === "getEvents" ? "" : `implies<P.${type}Reply, Reply<(${declaration})["reply"]>>(true);`;
    // Made of the list of settings, so no type has their names.
    const isMadeOfList = name === "updateDefaultUserSettings";
    return [isMadeOfList ? "" : `implies<P.${type}Parameters, ${parameters}>(true);`, reply];
  });
  expect(declared.filter(({ kind }) => kind === "endpoint").length).toBeGreaterThan(100);
  expect(declared.filter(({ kind }) => kind === "event").length).toBeGreaterThan(60);
  return `import type * as P from "@parley-chat/client";
import type { CallerParameters, Reply } from ${JSON.stringify(path.join(root, "api/endpoint.ts"))};
import type { EventOf } from ${JSON.stringify(path.join(root, "api/event.ts"))};
/** Without this, a missing optional field would go unseen. */
type Whole<T> = T extends (infer E)[] ? Whole<E>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
type Fits<A, B> = [A] extends [B] ? ([Whole<A>] extends [Whole<B>] ? true : false) : false;
declare function implies<A, B>(does: Fits<A, B>): void;
${lines.join("\n")}
`;
}
