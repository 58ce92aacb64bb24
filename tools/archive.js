// Archives whose bytes follow from their files alone: names in order, one time, no owner, and no word about
// the machine. So everybody who has the sources can make them again, and compare.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { pack } from "tar-stream";

/** The byte of a gzip header that names the operating system, and its value for "unknown". */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/**
 * A tar.gz of files in one folder.
 * @param {string} folder
 * @param {ReadonlyMap<string, Buffer>} files by their paths in the folder
 * @param {{ time: Date, programs?: readonly string[] }} options `programs` are files that can be executed
 */
export async function archive(folder, files, { time, programs = [] }) {
  const tar = pack();
  const bytes = buffer(tar);
  for (const [file, content] of inOrder(files)) {
    const mode = programs.includes(file) ? 0o755 : 0o644;
    await new Promise((resolve, reject) => {
      const header = { name: `${folder}/${file}`, size: content.length, mode, mtime: time };
      tar.entry(header, (error) => (error ? reject(error) : resolve(undefined))).end(content);
    });
  }
  tar.finalize();
  const zipped = await promisify(zlib.gzip)(await bytes, { level: 9 });
  zipped[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
  return zipped;
}

/** Lines that `sha256sum --check` reads. @param {ReadonlyMap<string, Buffer>} files */
export function checksums(files) {
  const lines = inOrder(files).map(
    ([file, content]) => `${createHash("sha256").update(content).digest("hex")}  ${file}\n`,
  );
  return lines.join("");
}

/**
 * By their names' characters, which is the same order under every language.
 * @param {ReadonlyMap<string, Buffer>} files
 */
function inOrder(files) {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}
