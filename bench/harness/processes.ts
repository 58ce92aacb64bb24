import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeTemporaryDirectory } from "../../server/platform/postgres/throw-away.ts";
import type { Fixture } from "./fixture.ts";
import type { GuessesResult, GuessesTask } from "./guesses.ts";
import type { InterruptedResult, InterruptedTask } from "./interrupted-sends.ts";
import type { ListenResult, ListenTask } from "./listen.ts";
import type { LoadResult, LoadTask } from "./load.ts";
import type { Ready } from "./parley-server.ts";
import type { SignInsResult, SignInsTask } from "./sign-ins.ts";

export interface Memory {
  heapUsed: number;
  rss: number;
  external: number;
  held: number;
}

/** Node options of both servers. BENCH_SEMI_SPACE gives another size for young objects, in MB. */
export const HEAP_FLAGS = [`--max-semi-space-size=${process.env.BENCH_SEMI_SPACE ?? "64"}`];

/** How long a process may take to stop. */
const STOP_MS = 30_000;

const open = new Set<Peer<unknown>>();

/** A process of the benchmark that waits for questions. It ends with its parent. */
export class Peer<R> {
  readonly ready: Promise<R>;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #cleanUp: () => void;

  constructor(
    file: string,
    { flags, environment = {}, cleanUp = () => {} }: ProcessOptions & { cleanUp?: () => void },
  ) {
    this.#child = startProcess(file, { flags, environment });
    this.#cleanUp = cleanUp;
    this.#ended = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    this.ready = nextMessage<R>(this.#child);
    open.add(this);
  }

  async ask<A>(question: object | string): Promise<A> {
    const answer = nextMessage<A>(this.#child);
    this.#child.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    // A caller that waits for the process to be ready learns from this that it ended.
    this.ready.catch(() => {});
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#cleanUp();
    open.delete(this);
  }
}

const cleanUps = new Set<() => void | Promise<void>>();

/** Registers work for the end of the scenario, however it ends. Returns a function that cancels it. */
export function addCleanUp(cleanUp: () => void | Promise<void>): () => void {
  cleanUps.add(cleanUp);
  return () => cleanUps.delete(cleanUp);
}

export async function stopAll(): Promise<void> {
  await Promise.all([...open].map((peer) => peer.stop()));
  // In reverse order, so that a process ends before its directory is deleted.
  for (const cleanUp of [...cleanUps].reverse()) await cleanUp();
  cleanUps.clear();
}

/** A server that is ready, with its ready message. */
export type Server<R> = R & { peer: Peer<R> };

export async function startBareServer(flags: string[] = HEAP_FLAGS): Promise<Server<{ port: number }>> {
  const peer = new Peer<{ port: number }>("./bare-server.js", { flags });
  return { ...(await peer.ready), peer };
}

export async function startParley(fixture: Fixture, flags: string[] = HEAP_FLAGS): Promise<Server<Ready>> {
  const dataDir = makeTemporaryDirectory("parley-bench-");
  const peer = new Peer<Ready>("./parley-server.js", {
    flags,
    environment: { BENCH_DATA_DIR: dataDir, BENCH_FIXTURE: JSON.stringify(fixture) },
    cleanUp: () => rmSync(dataDir, { recursive: true, force: true }),
  });
  return { ...(await peer.ready), peer };
}

export async function load(task: LoadTask): Promise<LoadResult> {
  const result = await run<LoadTask, LoadResult>("./load.js", task);
  if (result.failures > 0) throw new Error(`a request failed: ${result.firstFailure}`);
  return result;
}

export function listen(task: ListenTask): Promise<ListenResult> {
  return run("./listen.js", task);
}

export function interruptSends(task: InterruptedTask): Promise<InterruptedResult> {
  return run("./interrupted-sends.js", task);
}

/** A process that lets people sign in when it is asked. It ends with its answer. */
export async function startSignIns(): Promise<{ ask(task: SignInsTask): Promise<SignInsResult> }> {
  const peer = new Peer<object>("./sign-ins.js", { flags: [] });
  await peer.ready;
  return {
    async ask(task) {
      const result = await peer.ask<SignInsResult>(task);
      await peer.stop();
      return result;
    },
  };
}

/** A process that guesses passwords until it is told to end. */
export async function startGuesses(task: GuessesTask): Promise<{ end(): Promise<GuessesResult> }> {
  const peer = new Peer<object>("./guesses.js", { flags: [] });
  await peer.ready;
  await peer.ask(task);
  return {
    async end() {
      const result = await peer.ask<GuessesResult>("end");
      await peer.stop();
      return result;
    },
  };
}

function run<T extends object, R>(file: string, task: T): Promise<R> {
  const child = startProcess(file, { flags: [] });
  const result = nextMessage<R>(child);
  child.send(task);
  return result;
}

interface ProcessOptions {
  flags: string[];
  environment?: Record<string, string>;
}

function startProcess(file: string, { flags, environment }: ProcessOptions): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: flags,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`a process of the benchmark ended with code ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}
