// Runs benchmarks: `npm run bench` all of them, `npm run bench send` one, with `-- --save` to keep the figures.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "./build.js";
import { isStale } from "./is-stale.js";

const root = fileURLToPath(new URL("..", import.meta.url));
if (isStale()) build();

const all = fs
  .readdirSync(`${root}/bench`)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(/\.ts$/, ""));
const options = process.argv.slice(2).filter((each) => each.startsWith("--"));
const named = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${all.join(", ")}.`);
  process.exit(2);
}

let failed = false;
for (const name of named.length > 0 ? named : all) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [`${root}/dist/bench/${name}.js`, ...options], {
    cwd: root,
    stdio: "inherit",
  });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
