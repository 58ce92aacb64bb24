import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childrenOf } from "./children.ts";

// The compiled program itself: bin/parley.js would build again if a source changed during a long run.
export const program = fileURLToPath(new URL("../../dist/program/main.js", import.meta.url));
const KEPT_TEXT = 3_000;
const STOP_MS = 8_000;

/**
 * A server as a process supervisor runs it: whenever it ends, however it ends, it is started again, unless it
 * is kept away.
 */
export class ServerProcess {
  readonly name: string;
  readonly #words: readonly string[];
  readonly #env: Record<string, string>;
  readonly #workerCount: number;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isKept = false;
  /** Where it listens; undefined while it does not. */
  url: string | undefined;
  /** How it ended so far. */
  readonly ends: { code: number | null; signal: NodeJS.Signals | null; log: string }[] = [];
  /** The last of what it wrote to standard error. */
  log = "";

  /** With workers it is a parent and so many processes that serve. */
  constructor(name: string, env: Record<string, string>, workers = 0) {
    this.name = name;
    this.#words = workers > 0 ? ["serve", "--workers", String(workers)] : ["demo"];
    this.#env = { PARLEY_ENV: "development", PARLEY_PORT: "0", ...env };
    this.#workerCount = workers;
  }

  get workers(): number[] {
    const parent = this.#child?.pid;
    if (parent === undefined || this.url === undefined) return [];
    return childrenOf(parent)
      .filter(({ title }) => title.includes("worker.js"))
      .map(({ pid }) => pid);
  }

  /** It listens, and has the workers that it should have. */
  get isWhole(): boolean {
    return this.url !== undefined && (this.#workerCount === 0 || this.workers.length === this.#workerCount);
  }

  /** It is not to be started again for the time being. */
  get isAway(): boolean {
    return !this.#isKept;
  }

  start(): void {
    this.#isKept = true;
    this.#run();
  }

  async ready(withinMs = 60_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (this.url === undefined) {
      if (Date.now() > deadline)
        throw new Error(`${this.name} is not ready after ${withinMs} ms:\n${this.log}`);
      await sleep(5);
    }
  }

  /** Resolves when the process is gone: until then it may look as if nothing had happened. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ended = this.#ended;
    this.#child?.kill(signal);
    await ended;
  }

  /** As `end`, and nothing starts it again until `start` is called. */
  async endForLong(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.#isKept = false;
    await this.end(signal);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.#child?.kill("SIGKILL"), STOP_MS);
    await this.endForLong("SIGTERM");
    clearTimeout(late);
  }

  #run(): void {
    const child = spawn(process.execPath, [program, ...this.#words], {
      cwd: os.tmpdir(),
      env: { PATH: process.env.PATH, HOME: "/nonexistent", PARLEY_RATE_LIMITS: "off", ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      // What it wrote may be read after it has ended.
      if (child.exitCode !== null || child.signalCode !== null) return;
      this.url ??= /^listening on (http:\/\/\S+)$/m.exec(printed)?.[1];
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.log = (this.log + text).slice(-KEPT_TEXT);
    });
    this.#ended = new Promise<void>((resolve) => {
      child.once("exit", (code, signal) => {
        this.url = undefined;
        this.ends.push({ code, signal, log: this.log.slice(-300) });
        if (this.#isKept) this.#run();
        resolve();
      });
    });
  }
}
