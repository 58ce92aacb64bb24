// The package for Debian and Ubuntu: the server with its packages below /usr/lib/parley, and what operators
// expect around it. deploy/debian has its scripts, docs/deploy.md installs it, and decision 77 says why it is
// so. The same checkout, time, dpkg and Node.js give the same bytes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { copyPackages } from "./production-packages.js";
import { packageFiles } from "./server-package.js";

/** Where the program lies. */
const PROGRAM = "usr/lib/parley";
const DOC = "usr/share/doc/parley";
/** Node.js' names of processors, and Debian's. @type {Record<string, string>} */
const architectures = { x64: "amd64", arm64: "arm64" };
const KIB = 1024;

/** @typedef {{ content: string | Buffer, mode?: number }} File */

/**
 * A version as dpkg compares it. The last part counts packages of one release.
 * @param {string} version as in package.json
 */
export function debianVersion(version) {
  // To dpkg, a tilde sorts before the release, as a hyphen does to npm.
  return `${version.replace("-", "~")}-1`;
}

/** The name under which dpkg and apt expect the file. @param {string} version as in package.json */
export function debianName(version) {
  return `parley_${debianVersion(version)}_${architecture()}.deb`;
}

/** Whether this machine has what is needed. */
export function canMakeDebianPackage() {
  const isKnown = process.platform === "linux" && process.arch in architectures;
  return isKnown && spawnSync("dpkg-deb", ["--version"]).status === 0;
}

/**
 * Writes the package. Throws with a sentence if this machine can't make one.
 * @param {string} root a checkout that is built and has its packages
 * @param {ReadonlyMap<string, Buffer>} serverFiles those of the release's archive
 * @param {string} file
 * @param {{ time: Date, compression?: string }} options `compression` is one that dpkg-deb knows
 */
export function writeDebianPackage(root, serverFiles, file, { time, compression = "xz" }) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "parley-debian-"));
  try {
    const tree = path.join(scratch, "tree");
    const files = packageFiles(serverFiles);
    const lock = JSON.parse(/** @type {Buffer} */ (files.get("npm-shrinkwrap.json")).toString());
    copyPackages(root, path.join(tree, PROGRAM), lock);
    for (const [name, content] of files) write(path.join(tree, PROGRAM, name), { content });
    const around = {
      ...systemFiles(files),
      ...pagesOf(root, scratch),
      ...papersOf(files, lock.version, time),
    };
    for (const [name, entry] of Object.entries(around)) write(path.join(tree, name), entry);
    // What describes the program lies in the program's folder, since the program shows it.
    for (const [name, folder] of [
      ["docs", "docs"],
      ["examples", "deploy"],
    ])
      fs.symlinkSync(`../../../lib/parley/${folder}`, path.join(tree, DOC, /** @type {string} */ (name)));
    normalize(tree, time, new Set(Object.keys(around)));
    writeControl(tree, files, lock.version);
    normalize(path.join(tree, "DEBIAN"), time, new Set(["conffiles", "control", "md5sums", ...scripts]));
    const words = ["--root-owner-group", `-Z${compression}`, "--build", tree, path.resolve(file)];
    const epoch = String(Math.floor(time.getTime() / 1000));
    run("dpkg-deb", words, { ...process.env, SOURCE_DATE_EPOCH: epoch });
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const scripts = ["prerm", "postinst", "postrm"];

function architecture() {
  const name = architectures[process.arch];
  if (process.platform === "linux" && name) return name;
  throw new Error(`There is no Debian package for ${process.platform} on ${process.arch}.`);
}

/**
 * Unit, user, settings and command, as deploy/systemd has them for an installation by npm.
 * @param {ReadonlyMap<string, Buffer>} files
 * @returns {Record<string, File>}
 */
function systemFiles(files) {
  const text = (/** @type {string} */ file) => textOf(files, `deploy/systemd/${file}`);
  const unit = replaced(text("parley.service"), {
    "# The unit of a server in /opt/parley, as docs/deploy.md installs it.": "# The unit of the package.",
    "/opt/parley/lib/node_modules/parley": `/${PROGRAM}`,
    // The one that the package depends on, and no other that is found before it.
    " node --max": " /usr/bin/node --max",
  });
  const command = replaced(text("parley.sh"), {
    "# /usr/local/bin/parley:": "# /usr/bin/parley:",
    "/opt/parley/bin/parley": `/${PROGRAM}/bin/parley.js`,
    '"$program" "$@"': '/usr/bin/node "$program" "$@"',
  });
  return {
    "usr/lib/systemd/system/parley.service": { content: unit },
    "usr/lib/sysusers.d/parley.conf": { content: text("parley.sysusers.conf") },
    "etc/parley/parley.env": { content: text("parley.env"), mode: 0o640 },
    "usr/bin/parley": { content: command, mode: 0o755 },
  };
}

/**
 * What the program writes itself: manual pages, and scripts by which shells complete commands.
 * @param {string} root @param {string} scratch
 * @returns {Record<string, File>}
 */
function pagesOf(root, scratch) {
  const parley = (/** @type {string[]} */ ...words) =>
    run(process.execPath, [path.join(root, "bin", "parley.js"), ...words]);
  const pages = path.join(scratch, "man");
  parley("man", pages);
  const manual = fs.readdirSync(pages).map((name) => {
    const content = gzipSync(fs.readFileSync(path.join(pages, name)), { level: 9 });
    return [`usr/share/man/man1/${name}.gz`, { content }];
  });
  return {
    ...Object.fromEntries(manual),
    "usr/share/bash-completion/completions/parley": { content: parley("completion", "bash") },
    "usr/share/fish/vendor_completions.d/parley.fish": { content: parley("completion", "fish") },
    "usr/share/zsh/vendor-completions/_parley": { content: parley("completion", "zsh") },
  };
}

/**
 * @param {ReadonlyMap<string, Buffer>} files @param {string} version @param {Date} time
 * @returns {Record<string, File>}
 */
function papersOf(files, version, time) {
  const text = (/** @type {string} */ name) => textOf(files, `deploy/debian/${name}`);
  const [, maintainer] = /^Maintainer: (.+)$/m.exec(text("control")) ?? [];
  // As in "Tue, 01 Dec 2026 10:00:00 +0000".
  const date = time.toUTCString().replace("GMT", "+0000");
  const changes = `parley (${debianVersion(version)}) unstable; urgency=medium

  * Release ${version}. changelog.gz says what is new.

 -- ${maintainer}  ${date}
`;
  return {
    [`${DOC}/README.Debian`]: { content: text("README.Debian") },
    [`${DOC}/copyright`]: { content: text("copyright") },
    [`${DOC}/changelog.gz`]: { content: gzipSync(textOf(files, "CHANGELOG.md"), { level: 9 }) },
    [`${DOC}/changelog.Debian.gz`]: { content: gzipSync(changes, { level: 9 }) },
    "usr/share/lintian/overrides/parley": { content: text("lintian-overrides") },
  };
}

/**
 * What dpkg reads: the description, the scripts, the settings that it must not overwrite, and checksums for
 * `dpkg --verify`.
 * @param {string} tree @param {ReadonlyMap<string, Buffer>} files @param {string} version
 */
function writeControl(tree, files, version) {
  const names = namesIn(tree)
    .filter((name) => fs.lstatSync(path.join(tree, name)).isFile())
    .sort();
  const sums = names
    .filter((name) => !name.startsWith("etc/"))
    .map((name) => {
      const sum = createHash("md5").update(fs.readFileSync(path.join(tree, name)));
      return `${sum.digest("hex")}  ${name}\n`;
    });
  const sizes = names.map((name) => Math.ceil(fs.statSync(path.join(tree, name)).size / KIB));
  const control = replaced(textOf(files, "deploy/debian/control"), {
    "Version: VERSION": `Version: ${debianVersion(version)}`,
    "Architecture: ARCHITECTURE": `Architecture: ${architecture()}`,
    "Installed-Size: SIZE": `Installed-Size: ${sizes.reduce((sum, size) => sum + size, 0)}`,
  });
  const DEBIAN = path.join(tree, "DEBIAN");
  write(path.join(DEBIAN, "control"), { content: control });
  write(path.join(DEBIAN, "conffiles"), { content: "/etc/parley/parley.env\n" });
  write(path.join(DEBIAN, "md5sums"), { content: sums.join("") });
  for (const name of scripts)
    write(path.join(DEBIAN, name), { content: textOf(files, `deploy/debian/${name}`), mode: 0o755 });
}

/**
 * Gives everything the time, and modes that do not depend on who unpacked it with which umask.
 * @param {string} tree @param {Date} time @param {ReadonlySet<string>} chosen files whose modes are right
 */
function normalize(tree, time, chosen) {
  for (const name of ["", ...namesIn(tree)]) {
    const place = path.join(tree, name);
    const stat = fs.lstatSync(place);
    if (stat.isDirectory()) fs.chmodSync(place, 0o755);
    else if (stat.isFile() && !chosen.has(name)) fs.chmodSync(place, isProgram(place, stat) ? 0o755 : 0o644);
    fs.lutimesSync(place, time, time);
  }
  // Passwords may be in it.
  const settings = path.join(tree, "etc", "parley");
  if (fs.existsSync(settings)) fs.chmodSync(settings, 0o750);
}

/**
 * Everything in a folder, without what links lead to.
 * @param {string} tree @param {string} [prefix] @returns {string[]}
 */
function namesIn(tree, prefix = "") {
  return fs.readdirSync(path.join(tree, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(prefix, entry.name);
    return entry.isDirectory() ? [name, ...namesIn(tree, name)] : [name];
  });
}

/**
 * Libraries are loaded, and the scripts of packages are imported. Only what a system runs is a program.
 * @param {string} place @param {fs.Stats} stat
 */
function isProgram(place, stat) {
  return (stat.mode & 0o100) !== 0 && path.basename(path.dirname(place)) === "bin" && !place.endsWith(".js");
}

/** @param {string} file @param {File} entry */
function write(file, { content, mode = 0o644 }) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  fs.chmodSync(file, mode);
}

/** @param {ReadonlyMap<string, Buffer>} files @param {string} name */
function textOf(files, name) {
  return /** @type {Buffer} */ (files.get(name)).toString();
}

/**
 * Each of these texts must be there: a file that has changed must not be packed with other paths.
 * @param {string} text @param {Record<string, string>} changes
 */
function replaced(text, changes) {
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`A file of deploy/ no longer has "${from}".`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** What it prints. @param {string} program @param {string[]} words @param {NodeJS.ProcessEnv} [env] */
function run(program, words, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", env });
  if (status !== 0) throw new Error(`${program} ${words[0]} failed. ${stderr ?? error?.message}`.trim());
  return stdout;
}
