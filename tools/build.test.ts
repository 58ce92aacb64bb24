// The real command and tools, in a small checkout of their own.
import { type ChildProcess, type ExecFileOptions, execFile } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
let root: string;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-build-"));
  fs.chmodSync(root, 0o755);
  for (const name of ["bin", "tools", "tsconfig.json", "package.json"]) {
    fs.cpSync(path.join(project, name), path.join(root, name), { recursive: true });
  }
  fs.symlinkSync(path.join(project, "node_modules"), path.join(root, "node_modules"));
  write(
    "cli/main.ts",
    'import { greeting } from "./greeting.ts";\nconsole.log(greeting, ...process.argv.slice(2));\n',
  );
  write("cli/greeting.ts", 'export const greeting: string = "hello";\n');
  write("server/process/worker.ts", "export {};\n");
  write("server/platform/backup/backup-process.ts", "export {};\n");
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  const whole = path.join(root, file);
  fs.mkdirSync(path.dirname(whole), { recursive: true });
  fs.writeFileSync(whole, text);
}

interface End {
  code: ChildProcess["exitCode"];
  stdout: string;
  stderr: string;
}

function parley(words: string[] = [], options: ExecFileOptions = {}): Promise<End> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, "bin/parley.js"), ...words],
      options,
      (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout: String(stdout), stderr: String(stderr) }),
    );
  });
}

const builtAt = () => fs.statSync(path.join(root, "dist/.built")).mtimeMs;
const ok = (stdout: string): End => ({ code: 0, stdout, stderr: "" });

test("the first start builds, silently, and the next one runs what is there", async () => {
  expect(await parley(["a", "b c"])).toEqual(ok("hello a b c\n"));
  const first = builtAt();
  expect(await parley()).toEqual(ok("hello\n"));
  expect(builtAt()).toBe(first);
});

test("a change of a source is in the next start, and files that did not change keep their times", async () => {
  await parley();
  const main = fs.statSync(path.join(root, "dist/cli/main.js")).mtimeMs;
  write("cli/greeting.ts", 'export const greeting: string = "good day";\n');
  expect(await parley()).toEqual(ok("good day\n"));
  expect(fs.statSync(path.join(root, "dist/cli/main.js")).mtimeMs).toBe(main);
});

test("the output of a removed source is removed, too", async () => {
  write("cli/extra.ts", "export const extra = 1;\n");
  await parley();
  expect(fs.existsSync(path.join(root, "dist/cli/extra.js"))).toBe(true);
  fs.rmSync(path.join(root, "cli/extra.ts"));
  await parley();
  expect(fs.existsSync(path.join(root, "dist/cli/extra.js"))).toBe(false);
});

test("a change of a test needs no build", async () => {
  write("cli/main.test.ts", "export {};\n");
  await parley();
  const first = builtAt();
  write("cli/main.test.ts", "export const changed = 1;\n");
  await parley();
  expect(builtAt()).toBe(first);
  expect(fs.existsSync(path.join(root, "dist/cli/main.test.js"))).toBe(false);
});

test("files that the program reads lie beside it, fixtures and notes do not", async () => {
  write("server/platform/db/migrations/0001_a.sql", "select 1;\n");
  write("markdown/cases/bold.json", "[]\n");
  write("server/notes.md", "Notes.\n");
  await parley();
  const files = fs.readdirSync(path.join(root, "dist"), { recursive: true }).map(String);
  expect(files).toContain("server/platform/db/migrations/0001_a.sql");
  expect(files.filter((file) => /bold|notes/.test(file))).toEqual([]);
});

test("a module finds files by its own place, and a bundled entry beside the bundle", async () => {
  write(
    "cli/greeting.ts",
    `const place = (file: URL) => file.pathname.split("/dist/")[1];
export const greeting = [
  place(new URL("./greeting.txt", import.meta.url)),
  place(new URL("../server/process/worker.js", import.meta.url)),
].join();\n`,
  );
  expect(await parley()).toEqual(ok("cli/greeting.txt,program/worker.js\n"));
});

test("two builds of the same sources have the same bytes", async () => {
  const program = () => {
    const folder = path.join(root, "dist/program");
    const names = fs.readdirSync(folder).sort();
    return names.map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]);
  };
  await parley();
  const first = program();
  expect(first.map(([name]) => name)).toEqual(expect.arrayContaining(["main.js", "worker.js"]));
  fs.rmSync(path.join(root, "dist"), { recursive: true });
  await parley();
  expect(program()).toEqual(first);
});

test("a package that the project does not name is refused", async () => {
  write("cli/greeting.ts", 'import "vitest";\nexport const greeting = "hello";\n');
  const { code, stderr } = await parley();
  expect([code, stderr]).toEqual([1, expect.stringContaining("package.json does not name vitest")]);
});

test("servers that start at the same moment all run, each with a complete build", async () => {
  const ends = await Promise.all([1, 2, 3, 4].map((n) => parley([String(n)])));
  expect(ends).toEqual([1, 2, 3, 4].map((n) => ok(`hello ${n}\n`)));
  expect(fs.readdirSync(path.join(root, "dist")).sort()).toEqual([".built", "cli", "program", "server"]);
});

test("a source that can't be compiled is an error with its place, and the last build stays as it was", async () => {
  await parley();
  const greeting = fs.readFileSync(path.join(root, "dist/cli/greeting.js"), "utf8");
  write("cli/greeting.ts", "export const greeting = ;\n");
  const end = await parley();
  expect(end).toMatchObject({ code: 1, stdout: "" });
  expect(end.stderr).toContain("cli/greeting.ts:1:25");
  expect(fs.readFileSync(path.join(root, "dist/cli/greeting.js"), "utf8")).toBe(greeting);
  expect(fs.readdirSync(path.join(root, "dist")).sort()).toEqual([".built", "cli", "program", "server"]);
});

describe("in a checkout that belongs to another user", () => {
  const nobody = 65534;
  /** Root may write anywhere. So if we are root, the command runs as an unprivileged user. */
  const asOther: ExecFileOptions = process.getuid?.() === 0 ? { uid: nobody, gid: nobody, cwd: "/" } : {};

  test("a stale build is run with a warning", async () => {
    await parley();
    write("cli/greeting.ts", 'export const greeting: string = "newer";\n');
    fs.chmodSync(path.join(root, "dist"), 0o555);
    const end = await parley([], asOther);
    fs.chmodSync(path.join(root, "dist"), 0o755);
    expect(end).toMatchObject({ code: 0, stdout: "hello\n" });
    expect(end.stderr).toMatch(/^Warning: running an older build/);
  });

  test("without a build the error says where it should be", async () => {
    fs.chmodSync(root, 0o555);
    const end = await parley([], asOther);
    fs.chmodSync(root, 0o755);
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(end.stderr).toContain(`Parley can't be built in ${root}`);
  });
});
