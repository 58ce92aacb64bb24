import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { archive, checksums } from "./archive.js";
import { changesOf, releaseProblems, serverFiles } from "./release.js";

const CHANGELOG = `# Changelog

## [0.3.0] - Unreleased

- Not yet.

## [0.2.0] - 2027-03-01

- A second thing.

### Security

- A hole is closed.

## [0.1.0] - 2026-12-01

- A first thing.

## [0.0.1] - 2026-11-01
`;

describe("the changelog's part of a version", () => {
  test("is what stands under its heading, up to the next version's", () => {
    expect(changesOf(CHANGELOG, "0.2.0")).toBe("- A second thing.\n\n### Security\n\n- A hole is closed.\n");
    expect(changesOf(CHANGELOG, "0.1.0")).toBe("- A first thing.\n");
  });

  test.each([
    ["without an entry", "0.4.0"],
    ["without a date", "0.3.0"],
    ["without a text", "0.0.1"],
    ["whose number only begins like another's", "0.2"],
  ])("is missing for a version %s", (_, version) => {
    expect(changesOf(CHANGELOG, version)).toBeUndefined();
  });
});

test.each([
  ["package-lock.json", /"version": "([^"]+)"/g],
  ["server/version.ts", /ownVersion = "([^"]+)"/g],
  ["api/administration/organization.ts", /"11\.0-parley-([^"]+)"/g],
  ["api/integrations/real-time.ts", /"11\.0-parley-([^"]+)"/g],
  ["client/README.md", /parley-chat-client-(.+?)\.tgz/g],
])("%s names the version of package.json", (file, pattern) => {
  const text = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
  const version = JSON.parse(text("package.json")).version as string;
  const named = [...text(file).matchAll(pattern)].map(([, found]) => found);
  // In the lockfile, the first version is the project's own.
  expect(new Set(file === "package-lock.json" ? named.slice(0, 1) : named)).toEqual(new Set([version]));
});

describe("an archive", () => {
  const files = new Map([
    ["b.txt", Buffer.from("two")],
    ["a/z.txt", Buffer.from("one")],
    ["bin/run.js", Buffer.from("run")],
  ]);
  const time = new Date(Date.UTC(2026, 11, 1, 12));
  const options = { time, programs: ["bin/run.js"] };

  test("has the same bytes in whichever order its files were found", async () => {
    const reversed = new Map([...files].reverse());
    expect(await archive("x", reversed, options)).toEqual(await archive("x", files, options));
  });

  test("has sorted names, one time, no owner, and says which files are programs", async () => {
    const headers = await headersIn(await archive("x", files, options));
    expect(headers).toMatchObject([
      { name: "x/a/z.txt", mode: 0o644, mtime: time, uid: 0, gid: 0, uname: "", gname: "" },
      { name: "x/b.txt", mode: 0o644, mtime: time, uid: 0, gid: 0, uname: "", gname: "" },
      { name: "x/bin/run.js", mode: 0o755, mtime: time, uid: 0, gid: 0, uname: "", gname: "" },
    ]);
  });

  test("has a checksum in the form that sha256sum reads, in the order of names", () => {
    const pair = new Map([
      ["b.txt", Buffer.from("abc")],
      ["a.txt", Buffer.from("")],
    ]);
    expect(checksums(pair)).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n" +
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n",
    );
  });
});

describe("a release", () => {
  test("is possible for a commit whose version is the same everywhere and has its changes", () => {
    expect(releaseProblems(makeRepository())).toEqual([]);
  });

  test.each([
    ["a file that is not committed", { "new.txt": "x" }, "not committed"],
    ["a file that was changed", { "CHANGELOG.md": `${CHANGELOG}\nMore.\n` }, "not committed"],
  ])("is refused for %s", (_, changes, words) => {
    const root = makeRepository();
    write(root, changes);
    expect(releaseProblems(root)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    [
      "a version without an entry in the changelog",
      { "CHANGELOG.md": "# Changelog\n" },
      'no entry "## [0.2.0] - DATE"',
    ],
    [
      "a program that calls itself another version",
      { "server/version.ts": 'export const ownVersion = "0.1.0";\n' },
      "server/version.ts has version 0.1.0, package.json 0.2.0",
    ],
    [
      "a lockfile of another version",
      { "package-lock.json": '{ "version": "0.1.0" }' },
      "package-lock.json has version 0.1.0",
    ],
  ])("is refused for %s", (_, changes, words) => {
    const root = makeRepository(changes);
    expect(releaseProblems(root)).toEqual([expect.stringContaining(words)]);
  });

  test("is possible again for the commit that has its tag, and refused for a later one", () => {
    const root = makeRepository();
    git(root, "tag", "v0.2.0");
    expect(releaseProblems(root)).toEqual([]);
    git(root, "commit", "--quiet", "--allow-empty", "--message=later");
    expect(releaseProblems(root)).toEqual([expect.stringContaining("v0.2.0 is the tag of another commit")]);
  });
});

test("the server's archive has what is built and read, and neither sources nor what is left of other builds", () => {
  const papers = [".npmrc", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "README.md"];
  const rest = ["SECURITY.md", "bin/parley.js", "package-lock.json", "package.json", "tools/is-stale.js"];
  const built = [
    "dist/.built",
    "dist/program/main.js",
    "dist/server/db/0001_first.sql",
    "dist/web/index.html",
  ];
  const filters = ["filter.d", "jail.d"].map((folder) => `deploy/fail2ban/${folder}/parley.conf`);
  const unit = "deploy/systemd/parley.service";
  const wanted = [...papers, ...rest, ...filters, ...built, "docs/help/en/keys.md", unit];
  const others = [
    "cli/main.ts",
    "data/secret",
    "dist/.building-x/program/main.js",
    "dist/bench/send.js",
    "dist/client-package/package.json",
    "dist/server/app.js",
    "dist/server/app.js.map",
    "node_modules/pg/index.js",
    "tools/build.js",
  ];
  const root = makeFolder(Object.fromEntries([...wanted, ...others].map((file) => [file, file])));
  expect([...serverFiles(root).keys()].sort()).toEqual(wanted.sort());
});

async function headersIn(bytes: Buffer): Promise<Header[]> {
  const tar = extract();
  const headers: Header[] = [];
  const done = pipeline(Readable.from([bytes]), createGunzip(), tar);
  for await (const entry of tar) {
    headers.push(entry.header);
    await buffer(entry);
  }
  await done;
  return headers;
}

/** A repository with one commit, of version 0.2.0. */
function makeRepository(changes: Record<string, string> = {}): string {
  const root = makeFolder({
    "CHANGELOG.md": CHANGELOG,
    "package.json": '{ "version": "0.2.0" }',
    "package-lock.json": '{ "version": "0.2.0" }',
    "server/version.ts": 'export const ownVersion = "0.2.0";\n',
    ...changes,
  });
  git(root, "init", "--quiet");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message=first");
  return root;
}

function git(root: string, ...words: string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  execFileSync("git", [...identity, ...words], { cwd: root, stdio: "pipe" });
}

function makeFolder(files: Record<string, string | Buffer>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), "parley-release-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, files);
  return root;
}

function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}
