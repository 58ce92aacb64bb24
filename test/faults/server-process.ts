import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// The compiled program itself: bin/parley.js would build again if a source changed during a long run.
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const KEPT_TEXT = 3_000;
const STOP_MS = 8_000;

/** A server as a process supervisor runs it: whenever it ends, however it ends, it is started again. */
export class ServerProcess {
  readonly name: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isKept = false;
  /** Where it listens; undefined while it does not. */
  url: string | undefined;
  /** How it ended so far. */
  readonly ends: { code: number | null; signal: NodeJS.Signals | null; log: string }[] = [];
  /** The last of what it wrote to standard error. */
  log = "";

  constructor(name: string, env: Record<string, string>) {
    this.name = name;
    this.#env = env;
  }

  get pid(): number | undefined {
    return this.url === undefined ? undefined : this.#child?.pid;
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

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isKept = false;
    this.#child?.kill("SIGTERM");
    const late = setTimeout(() => this.#child?.kill("SIGKILL"), STOP_MS);
    await this.#ended;
    clearTimeout(late);
  }

  #run(): void {
    const child = spawn(process.execPath, [program, "demo"], {
      cwd: os.tmpdir(),
      env: { PATH: process.env.PATH, HOME: "/nonexistent", PARLEY_RATE_LIMITS: "off", ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
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
