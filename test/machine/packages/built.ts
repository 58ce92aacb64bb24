/** The Debian package of this checkout, which the tests of packages and images share. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { debianName, writeDebianPackage } from "../../../tools/debian-package.js";
import { isWebStale } from "../../../tools/is-stale.js";
import { serverFiles } from "../../../tools/release.js";
import { build } from "../../e2e/parley.ts";

const root = path.resolve(import.meta.dirname, "../../..");
export const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  version: string;
};
/** To pack, unpack and start a whole server takes a busy machine that long. */
export const PATIENCE_MS = 300_000;
const time = new Date("2026-11-01T12:00:00Z");

/** It is removed at the end of the run. All workers share what the first has made. */
export function debianFile(): string {
  const shared = inject("usedDirectories");
  const file = path.join(shared, debianName(version));
  if (existsSync(file)) return file;
  build();
  if (isWebStale()) execFileSync(process.execPath, [path.join(root, "tools", "build-web.js")]);
  const made = path.join(mkdtempSync(path.join(shared, "new-")), "made.deb");
  writeDebianPackage(root, serverFiles(root), made, { time, compression: "none" });
  renameSync(made, file);
  return file;
}
