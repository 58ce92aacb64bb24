import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childrenOf } from "./children.ts";

// The compiled program itself: bin/parley.js would build again if a source changed during a long run.
export const program = fileURLToPath(new URL("../../dist/program/main.js", import.meta.url));
const KEPT_TEXT = 3_000;
/** A stop takes some seconds. What is written meanwhile comes after the sentence that says why. */
const KEPT_END = 4_000;
const STOP_MS = 8_000;

export interface ProcessOptions {
  /** The command; `demo` by default, or `serve` with workers. */
  words?: readonly string[];
  /** A file that the log is appended to, in place of the pipe that is read. */
  logFile?: string;
  /** Milliseconds before it is started again. */
  pauseMs?: number;
}

/**
 * A server as a process supervisor runs it: whenever it ends, however it ends, it is started again, unless it
 * is kept away.
 */
export class ServerProcess {
  readonly name: string;
  readonly #words: readonly string[];
  readonly #env: Record<string, string>;
  readonly #workerCount: number;
  readonly #logFile: string | undefined;
  readonly #pauseMs: number;
  /** How often it was started. */
  starts = 0;
  /** Given each piece of what it writes to standard error, unless that is a file. */
  onLog: (text: string) => void = () => {};
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
  constructor(name: string, env: Record<string, string>, workers = 0, options: ProcessOptions = {}) {
    this.name = name;
    this.#logFile = options.logFile;
    this.#pauseMs = options.pauseMs ?? 0;
    this.#words = options.words ?? (workers > 0 ? ["serve", "--workers", String(workers)] : ["demo"]);
    this.#env = { PARLEY_ENV: "development", PARLEY_PORT: "0", ...env };
    this.#workerCount = workers;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Sends a signal and waits for nothing. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Leaves what it writes to standard error in the pipe. */
  neglectLog(isNeglected: boolean): void {
    if (isNeglected) this.#child?.stderr?.pause();
    else this.#child?.stderr?.resume();
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
    this.starts++;
    const log = this.#logFile === undefined ? "pipe" : openSync(this.#logFile, "a");
    const child = spawn(process.execPath, [program, ...this.#words], {
      cwd: os.tmpdir(),
      env: { PATH: process.env.PATH, HOME: "/nonexistent", PARLEY_RATE_LIMITS: "off", ...this.#env },
      stdio: ["ignore", "pipe", log],
    });
    if (typeof log === "number") closeSync(log);
    this.#child = child;
    let printed = "";
    let own = "";
    let end: ServerProcess["ends"][number] | undefined;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      // What it wrote may be read after it has ended.
      if (child.exitCode !== null || child.signalCode !== null) return;
      this.url ??= /^listening on (http:\/\/\S+)$/m.exec(printed)?.[1];
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.onLog(text);
      this.log = (this.log + text).slice(-KEPT_TEXT);
      own = (own + text).slice(-KEPT_END);
      // What it wrote last may be read after it has ended.
      if (end) end.log = own;
    });
    this.#ended = new Promise<void>((resolve) => {
      child.once("exit", (code, signal) => {
        this.url = undefined;
        if (this.#logFile !== undefined) own = readFileSync(this.#logFile).subarray(-KEPT_END).toString();
        end = { code, signal, log: own };
        this.ends.push(end);
        if (this.#isKept && this.#pauseMs === 0) this.#run();
        else if (this.#isKept) setTimeout(() => this.#isKept && this.#run(), this.#pauseMs);
        resolve();
      });
    });
  }
}
