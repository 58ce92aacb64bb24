// Makes the server's package of a checkout that is built: `npm run pack:server -- FILE`. So does a release.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { serverFiles } from "./release.js";
import { serverPackage } from "./server-package.js";

const [, , file] = process.argv;
if (file === undefined) {
  console.error("Say where to: npm run pack:server -- FILE");
  process.exit(1);
}
const files = serverFiles(fileURLToPath(new URL("..", import.meta.url)));
// The files have one time, so that the same sources give the same bytes.
writeFileSync(path.resolve(file), await serverPackage(files, new Date(0)));
