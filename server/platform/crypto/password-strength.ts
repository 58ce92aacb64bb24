/**
 * How easily a password is guessed. The dictionaries take some 60 MB, and a hostile text takes a processor
 * for seconds. So a thread of its own judges passwords, and it ends when nobody has set one for a while.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ApiError, errors } from "../../../api/errors.ts";
import { MIN_PASSWORD_GUESSES } from "../../../api/limits.ts";
import { WorkQueue } from "../std/work-queue.ts";

/** What follows makes no password easier to guess. The time grows faster than the length. */
const MAX_JUDGED_LENGTH = 32;
const MAX_WORDS = 10;
const IDLE_MS = 20_000;
/** The dictionaries take a second to load, and longer on a busy machine. */
const TIMEOUT_MS = 20_000;
const RETRY_AFTER_SECONDS = 2;

const queue = new WorkQueue(1, 64);

/**
 * Throws `weakPassword` for a password that is guessed in few tries by somebody who knows these words, such
 * as the person's name. Throws `rateLimitHit` if too many wait.
 */
export async function checkStrength(password: string, words: readonly string[]): Promise<void> {
  const judged = { password: password.slice(0, MAX_JUDGED_LENGTH), words: partsOf(words) };
  const guesses = queue.run(() => askJudge(judged));
  if (!guesses) throw new ApiError(errors.rateLimitHit, { retryAfter: RETRY_AFTER_SECONDS });
  if ((await guesses) < MIN_PASSWORD_GUESSES) throw new ApiError(errors.weakPassword);
}

interface Judged {
  password: string;
  words: readonly string[];
}

/** The texts, the words in them, and these without what is between them. */
function partsOf(words: readonly string[]): string[] {
  const parts = words.flatMap((text) => {
    const inText = text.split(/[^\p{L}\p{N}]+/u);
    return [text, inText.join(""), ...inText];
  });
  return [...new Set(parts.filter((part) => part.length > 2).map((part) => part.slice(0, 40)))].slice(
    0,
    MAX_WORDS,
  );
}

let judge: Judge | undefined;

function askJudge(judged: Judged): Promise<number> {
  judge ??= new Judge();
  return judge.ask(judged);
}

/** The thread. It judges one password at a time, and is not used again once it has failed or was idle. */
class Judge {
  readonly #worker = startWorker();
  #settle: { resolve: (guesses: number) => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on("message", (guesses: number) => {
      this.#wait(IDLE_MS, () => this.#end());
      this.#settle?.resolve(guesses);
    });
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end());
  }

  ask(judged: Judged): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#wait(TIMEOUT_MS, () => this.#end(new ApiError(errors.serverBusy)));
      this.#worker.postMessage(judged);
    });
  }

  #wait(time: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, time).unref();
  }

  #end(reason: unknown = new Error("the judge of passwords has ended")): void {
    clearTimeout(this.#timer);
    if (judge === this) judge = undefined;
    this.#settle?.reject(reason);
    void this.#worker.terminate();
  }
}

/** Its code is a text, so that it runs from sources and from the built program alike. */
const code = `
const { parentPort, workerData } = require("node:worker_threads");
const ready = Promise.all(workerData.map((url) => import(url))).then(([core, common, english]) => {
  const dictionary = { ...common.dictionary, ...english.dictionary };
  return new core.ZxcvbnFactory({ graphs: common.adjacencyGraphs, dictionary });
});
parentPort.on("message", async ({ password, words }) => {
  const judge = await ready;
  parentPort.postMessage(judge.check(password, words).guesses);
});
`;

function startWorker(): Worker {
  const { resolve } = createRequire(import.meta.url);
  const packages = ["@zxcvbn-ts/core", "@zxcvbn-ts/language-common", "@zxcvbn-ts/language-en"];
  const workerData = packages.map((name) => pathToFileURL(resolve(name)).href);
  const worker = new Worker(code, { eval: true, workerData, execArgv: [] });
  // A program that has ended does not wait for it.
  worker.unref();
  return worker;
}
