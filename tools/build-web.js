// Builds the browser's client into dist/web by Vite: hashed names, and beside each file its brotli and gzip
// forms. The contract is read from dist/, so tools/build.js comes first. Prints nothing when all is well.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { build, filesIn, makeScratch, putInPlace } from "./build.js";
import { isStale, isWebStale, WEB_STAMP } from "./is-stale.js";
import { writeInstall } from "./web/install.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));

/** Builds if a source has changed, and the server's part first. @param {string} [root] */
export async function buildWeb(root = checkout) {
  if (isStale(root)) build(root);
  if (!isWebStale(root)) return;
  const dist = path.join(root, "dist");
  const scratch = makeScratch(dist);
  try {
    const startedAt = new Date();
    await bundle(root, scratch);
    await writeInstall(root, scratch);
    // The font of emoji goes wherever its licence goes along.
    const licence = path.join(root, "node_modules/twemoji-colr-font/LICENSE");
    fs.copyFileSync(licence, path.join(scratch, "LICENSE.twemoji"));
    for (const name of fs.readdirSync(path.join(scratch, "assets"))) {
      // Pictures and fonts are compressed by themselves.
      if (!/\.(png|woff2)$/.test(name)) compress(path.join(scratch, "assets", name));
    }
    compress(path.join(scratch, "index.html"));
    const made = filesIn(scratch);
    // The page comes last, when all that it refers to is there.
    const inOrder = made.sort((one, other) => Number(isPage(one)) - Number(isPage(other)));
    for (const file of inOrder) putInPlace(path.join(scratch, file), path.join(dist, "web", file));
    for (const file of filesIn(path.join(dist, "web"))) {
      if (!made.includes(file) && file !== WEB_STAMP)
        fs.rmSync(path.join(dist, "web", file), { force: true });
    }
    fs.writeFileSync(path.join(scratch, WEB_STAMP), "");
    fs.utimesSync(path.join(scratch, WEB_STAMP), startedAt, startedAt);
    fs.renameSync(path.join(scratch, WEB_STAMP), path.join(dist, "web", WEB_STAMP));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const isPage = (/** @type {string} */ file) => file.startsWith("index.html");

/** @param {string} root @param {string} to */
async function bundle(root, to) {
  const vite = await import("vite");
  // Tests build too, and would get the view library's variant for development.
  process.env.NODE_ENV = "production";
  await vite.build({
    configFile: path.join(root, "vite.config.js"),
    // Other ways to load it write a file into node_modules/, which may belong to somebody else.
    configLoader: "native",
    logLevel: "error",
    build: { outDir: to, emptyOutDir: false },
  });
}

/** @param {string} file */
function compress(file) {
  const bytes = fs.readFileSync(file);
  const size = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(bytes, { params: size }));
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(bytes, { level: 9 }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWeb();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
