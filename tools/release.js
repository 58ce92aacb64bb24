// Makes the files of a release: the server, its packages for npm and for Debian, the client's package, the
// OpenAPI document, this version's part of the changelog, and their checksums. docs/howto/release.md says
// when and how.
//
//   npm run release -- --out FOLDER
//
// They are made of the last commit, in a clone of it with packages of its own. So nothing that lies about in
// this checkout gets into them. The same commit and version of Node give the same bytes.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { archive, checksums } from "./archive.js";
import { CLIENT_PACKAGE, filesIn } from "./build.js";
import { canMakeDebianPackage, debianName, writeDebianPackage } from "./debian-package.js";
import { serverPackage } from "./server-package.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));

/** What the server's archive has besides what is built. */
const papers = [
  ".npmrc",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "bin/parley.js",
  "package-lock.json",
  "package.json",
  "tools/is-stale.js",
];

export class NotReleasable extends Error {}

/**
 * What speaks against a release of the last commit, as sentences.
 * @param {string} root
 */
export function releaseProblems(root) {
  const { version, locked, server } = readVersions(root);
  const tag = `v${version}`;
  const problems = [];
  if (git(root, "status", "--porcelain") !== "")
    problems.push("There are changes that are not committed. A release is made of a commit.");
  if (locked !== version) problems.push(`package-lock.json has version ${locked}, package.json ${version}.`);
  if (server !== version) problems.push(`server/version.ts has version ${server}, package.json ${version}.`);
  if (changesOf(read(root, "CHANGELOG.md"), version) === undefined)
    problems.push(`CHANGELOG.md has no entry "## [${version}] - DATE" with a date and a text.`);
  const tagged = git(root, "tag", "--list", tag) && git(root, "rev-list", "-n1", tag);
  if (tagged && tagged !== git(root, "rev-parse", "HEAD"))
    problems.push(`${tag} is the tag of another commit. A version is released once.`);
  return problems;
}

/** @param {string} root */
function readVersions(root) {
  const [, server] = /ownVersion = "([^"]+)"/.exec(read(root, "server/version.ts")) ?? [];
  return {
    version: /** @type {string} */ (JSON.parse(read(root, "package.json")).version),
    locked: /** @type {string} */ (JSON.parse(read(root, "package-lock.json")).version),
    server,
  };
}

/**
 * What the changelog says of a version, without its heading. Nothing if the version has no entry, or one
 * without a date.
 * @param {string} changelog
 * @param {string} version
 */
export function changesOf(changelog, version) {
  const entries = changelog.split(/^(?=## )/m);
  const entry = entries.find((text) => text.startsWith(`## [${version}] - `));
  const [, text] = /^## \[[^\]]+\] - \d{4}-\d{2}-\d{2}\n([\s\S]*)$/.exec(entry ?? "") ?? [];
  return text?.trim() ? `${text.trim()}\n` : undefined;
}

/**
 * The files of the server's archive: a bundled program with what it reads, and no sources.
 * @param {string} root a checkout that is built
 */
export function serverFiles(root) {
  const built = filesIn(path.join(root, "dist"))
    .filter((file) => /^(program|web)\//.test(file) || file === ".built" || isRead(file))
    .map((file) => `dist/${file}`);
  const pages = ["docs", "deploy"].flatMap((folder) =>
    filesIn(path.join(root, folder)).map((file) => `${folder}/${file}`),
  );
  return readAll(root, [...papers, ...built, ...pages]);
}

/** Beside the code that is bundled lie the files that it reads. @param {string} file */
function isRead(file) {
  return /^(api|cli|client|markdown|server)\//.test(file) && !/\.js(\.map)?$/.test(file);
}

/**
 * Writes a release's files into the folder, and returns their names.
 * @param {string} root
 * @param {string} out
 */
export async function release(root, out) {
  const problems = releaseProblems(root);
  if (problems.length > 0) throw new NotReleasable(problems.join("\n"));
  if (fs.existsSync(out) && fs.readdirSync(out).length > 0)
    throw new NotReleasable(`${out} is not empty. Old files would be taken for this release's.`);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "parley-release-"));
  try {
    const clone = buildClone(root, path.join(scratch, "clone"));
    const files = await releaseFiles(clone, scratch);
    files.set("SHA256SUMS", Buffer.from(checksums(files)));
    fs.mkdirSync(out, { recursive: true });
    for (const [name, content] of files) fs.writeFileSync(path.join(out, name), content);
    return [...files.keys()];
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {string} root @param {string} clone */
function buildClone(root, clone) {
  run(root, "git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
  run(clone, "git", ["checkout", "--quiet", "--detach", git(root, "rev-parse", "HEAD")]);
  run(clone, "npm", ["ci"]);
  for (const tool of ["build.js", "build-web.js", "client-package.js"])
    run(clone, process.execPath, [`tools/${tool}`]);
  return clone;
}

/**
 * @param {string} root a checkout that is built
 * @param {string} scratch
 * @returns {Promise<Map<string, Buffer>>}
 */
async function releaseFiles(root, scratch) {
  const { version } = readVersions(root);
  const time = new Date(Number(git(root, "log", "-1", "--format=%ct")) * 1000);
  const client = path.join(root, "dist", CLIENT_PACKAGE);
  const server = { time, programs: ["bin/parley.js"] };
  const files = serverFiles(root);
  /** @type {[string, Buffer][]} */
  const debian = [];
  if (canMakeDebianPackage()) {
    const name = debianName(version);
    writeDebianPackage(root, files, path.join(scratch, name), { time });
    debian.push([name, fs.readFileSync(path.join(scratch, name))]);
  }
  return new Map([
    [`parley-${version}.tar.gz`, await archive(`parley-${version}`, files, server)],
    [`parley-${version}-npm.tgz`, await serverPackage(files, time)],
    ...debian,
    // The name and the folder in it are those that `npm pack` gives.
    [
      `parley-chat-client-${version}.tgz`,
      await archive("package", readAll(client, filesIn(client)), { time }),
    ],
    [`parley-${version}-openapi.json`, Buffer.from(await openApiText(root))],
    [`parley-${version}-changes.md`, Buffer.from(changesOf(read(root, "CHANGELOG.md"), version) ?? "")],
  ]);
}

/** @param {string} root */
async function openApiText(root) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(path.join(root, "dist", file)).href);
  const { endpoints } = await load("api/index.js");
  const { openApiDocument } = await load("server/integrations/api-reference/openapi.js");
  return `${JSON.stringify(openApiDocument(endpoints), undefined, 2)}\n`;
}

/** @param {string} root @param {readonly string[]} files */
function readAll(root, files) {
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file))]));
}

/** @param {string} root @param {string} file */
function read(root, file) {
  return fs.readFileSync(path.join(root, file), "utf8");
}

/** What git prints. @param {string} root @param {string[]} words */
function git(root, ...words) {
  return run(root, "git", words).trim();
}

/** @param {string} cwd @param {string} program @param {string[]} words */
function run(cwd, program, words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: "utf8" });
  if (status !== 0)
    throw new NotReleasable(`${program} ${words.join(" ")} failed.\n${stderr ?? error?.message}`.trim());
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    if (!values.out) throw new NotReleasable("Say where to: npm run release -- --out FOLDER");
    const out = path.resolve(values.out);
    for (const name of await release(checkout, out)) console.log(path.join(out, name));
    if (!canMakeDebianPackage()) console.log("This machine has no dpkg-deb, so there is no Debian package.");
  } catch (error) {
    console.error(error instanceof NotReleasable ? error.message : error);
    process.exitCode = 1;
  }
}
