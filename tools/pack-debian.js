// Makes the package for Debian and Ubuntu of a checkout that is built: `npm run pack:debian -- FILE.deb`. So
// does a release. Its files have the time in SOURCE_DATE_EPOCH, in seconds since 1970, or none.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeDebianPackage } from "./debian-package.js";
import { serverFiles } from "./release.js";

const root = fileURLToPath(new URL("..", import.meta.url));

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // What dpkg-deb offers. A test takes "none", which is made in no time.
    options: { compression: { type: "string" } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new Error("Say where to: npm run pack:debian -- FILE.deb");
  const time = new Date(Number(process.env.SOURCE_DATE_EPOCH || 0) * 1000);
  if (Number.isNaN(time.getTime())) throw new Error("SOURCE_DATE_EPOCH is a number of seconds since 1970.");
  writeDebianPackage(root, serverFiles(root), file, { time, ...values });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
