import { readFileSync } from "node:fs";
import type { ServerProcess } from "../server-process.ts";

const KEPT_LINES = 200;
const KEPT_CHARACTERS = 500;

/**
 * The log of a server, looked at as it grows. Every line is JSON, and a stack is in none but as a field of an
 * error, which is counted. Only what a process says last, before it ends, is a sentence for people.
 */
export class DayLog {
  readonly #file: string | undefined;
  #position = 0;
  #rest = "";
  lines = 0;
  /** The newest lines that are no single calls. */
  readonly last: string[] = [];
  /** How many lines have an error with its stack, by the error's message. */
  readonly stacks = new Map<string, number>();
  /** The sentences with which processes ended. */
  readonly sentences = new Set<string>();

  constructor(node: ServerProcess, file: string | undefined) {
    this.#file = file;
    node.onLog = (text) => {
      this.#rest += text;
    };
  }

  /** Looks at what is new. Throws what is wrong. */
  check(): void {
    if (this.#file !== undefined) {
      const all = readFileSync(this.#file);
      this.#rest += all.subarray(this.#position).toString();
      this.#position = all.length;
    }
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#look(line);
  }

  #look(line: string): void {
    this.lines++;
    if (!line.includes('"requestId"')) this.last.push(line.slice(0, KEPT_CHARACTERS));
    if (this.last.length > KEPT_LINES) this.last.shift();
    if (/^\s+at \S/.test(line)) throw new Error(`a stack in the log: ${line}`);
    try {
      const { level, time, msg, err } = JSON.parse(line);
      if (err?.stack) this.stacks.set(err.message, (this.stacks.get(err.message) ?? 0) + 1);
      if (typeof level !== "number" || time === undefined || typeof msg !== "string") throw new Error(line);
    } catch {
      // A line that looks like JSON and is not was torn.
      if (line.startsWith("{") || line.includes('{"level"')) throw new Error(`a torn line: ${line}`);
      if (line.trim() !== "") this.sentences.add(line);
    }
  }
}
