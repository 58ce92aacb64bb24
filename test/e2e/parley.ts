// Parley as people run it: real processes through bin/parley.js, each with an environment of its own.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import "./setup.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = path.join(root, "bin", "parley.js");

export interface Person {
  uid?: number;
  gid?: number;
}

export const isRoot = process.getuid?.() === 0;

/** The users to run commands as: ourselves, and an unprivileged user too if we are root. */
export const people: [string, Person][] = isRoot
  ? [
      ["root", {}],
      ["an ordinary user", { uid: 65_534, gid: 65_534 }],
    ]
  : [["an ordinary user", {}]];

let isBuilt = false;

/**
 * Builds once as our own user, since another user may not be allowed to. Call it before all tests of a file.
 */
export function build(): void {
  if (isBuilt) return;
  const isStale = spawnSync(process.execPath, [path.join(root, "tools", "is-stale.js")]).status !== 0;
  if (isStale) execFileSync(process.execPath, [path.join(root, "tools", "build.js")], { stdio: "inherit" });
  isBuilt = true;
}

/** An empty directory. It is removed with its contents when the test ends. */
export function temporaryDirectory(person: Person = {}): string {
  const dir = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-e2e-"));
  if (person.uid !== undefined) chownSync(dir, person.uid, person.gid ?? person.uid);
  // PostgreSQL's user passes it when we are root.
  chmodSync(dir, 0o711);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return dir;
}

const templates = new Map<string, Promise<string>>();

/**
 * A copy of a data directory that `serve` or `demo` has used. Copying takes a tenth of the time of making
 * one.
 */
export async function usedDirectory(kind: "serve" | "demo"): Promise<string> {
  let template = templates.get(kind);
  if (!template) {
    template = makeTemplate(kind);
    templates.set(kind, template);
  }
  const dataDir = path.join(temporaryDirectory(), "data");
  execFileSync("cp", ["-a", await template, dataDir]);
  // The template is for tests alone, so the copy takes its place.
  rmSync(path.join(dataDir, "place"));
  return dataDir;
}

/** All workers of a run share what the first has made. Two that make it at once keep the first one's. */
async function makeTemplate(kind: "serve" | "demo"): Promise<string> {
  const shared = inject("usedDirectories");
  const made = path.join(shared, kind);
  if (existsSync(made)) return path.join(made, "data");
  const dir = mkdtempSync(path.join(shared, "new-"));
  chmodSync(dir, 0o711);
  const server = await start([kind], { env: { PARLEY_DATA_DIR: path.join(dir, "data") } });
  await server.stop();
  if (!existsSync(made)) renameSync(dir, made);
  return path.join(made, "data");
}

export interface Options {
  env?: Record<string, string>;
  person?: Person;
  cwd?: string;
  /** Another installation's program. */
  program?: string;
  /** A command that starts the program, whose words follow its own. */
  launcher?: readonly string[];
  /** Descriptors of what takes the place of a pipe that is read. */
  outputs?: { stdout?: number; stderr?: number };
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Program {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match in what it prints; rejects when it ends before that. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  end: Promise<End>;
}

/** Starts a command. It is stopped when the test ends, if it still runs. */
export function run(
  words: string[],
  {
    env = {},
    person = {},
    cwd = os.tmpdir(),
    launcher = [],
    outputs = {},
    program: own = program,
  }: Options = {},
): Program {
  // As `npm start` does.
  const line = [...launcher, process.execPath, "--max-semi-space-size=64", own, ...words];
  const child = spawn(line[0] as string, line.slice(1), {
    ...person,
    cwd,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", TERM: "dumb", PARLEY_PORT: "0", ...env },
    stdio: ["pipe", outputs.stdout ?? "pipe", outputs.stderr ?? "pipe"],
  });
  child.stdin?.on("error", () => {});
  const text = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const listener of listeners) listener();
    });
  }
  // Once its pipes are closed everything it printed has been read.
  const end = new Promise<End>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(async () => {
    // Asks politely first: a database that runs for another moment would write to files that are removed
    // next.
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      child.kill(signal);
      await Promise.race([end, sleep(6000, undefined, { ref: false })]);
    }
    await end;
  });
  return {
    child,
    end,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    prints(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text.stdout) ?? pattern.exec(text.stderr);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        end.then(({ code, signal }) => {
          look();
          reject(
            new Error(
              `ended with ${signal ?? code} without printing ${pattern}:\n${text.stdout}${text.stderr}`,
            ),
          );
        });
        look();
      });
    },
  };
}

/** Runs a command to its end. */
export async function call(
  words: string[],
  { input = "", ...options }: Options & { input?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = run(words, options);
  command.child.stdin?.end(input);
  const { code } = await command.end;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** `call` with the settings and the standard input that commands are given most often. */
export const parley = (words: string[], env: Record<string, string> = {}, input = "") =>
  call(words, { env, input });

export interface Server extends Program {
  url: string;
  port: string;
  /** Sends the signal, and resolves with how it ended and after how many milliseconds. */
  stop(signal?: NodeJS.Signals): Promise<End & { tookMs: number }>;
}

/** Starts a server and waits until it says that it is ready. */
export async function start(words: string[], options: Options): Promise<Server> {
  const server = run(words, options);
  const [, url = ""] = await server.prints(/^listening on (https?:\/\/\S+)$/m);
  return {
    ...server,
    url,
    port: new URL(url).port,
    async stop(signal = "SIGTERM") {
      const startedAt = performance.now();
      server.child.kill(signal);
      return { ...(await server.end), tookMs: performance.now() - startedAt };
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
export type Json = any;

/** Calls the API of a running server; `key` is what `signIn` gave. */
export async function api(
  server: { url: string },
  method: string,
  address: string,
  params: Record<string, unknown> = {},
  key?: string,
): Promise<{ status: number; body: Json }> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const response = await fetch(`${server.url}/api/v1${address}${method === "GET" ? `?${form}` : ""}`, {
    method,
    ...(method === "GET" ? {} : { body: form }),
    headers: key ? { authorization: `Basic ${Buffer.from(key).toString("base64")}` } : {},
  });
  return { status: response.status, body: await response.json() };
}

/** The credentials of a user of the demo organization, as `email:key`. */
export async function signIn(server: { url: string }, email = "ada@demo.test"): Promise<string> {
  const { body } = await api(server, "POST", "/dev_fetch_api_key", { username: email });
  return `${email}:${body.api_key}`;
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 15_000,
) {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(25);
  }
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
