import type { Config } from "../server/config.ts";

/** An option as `--help` shows it. `value` names what follows it; without one it is a switch. */
export interface Option {
  value?: string;
  description: string;
  /** May be given more than once. */
  multiple?: boolean;
  short?: string;
}

type Options = Record<string, Option>;

/** What was given: texts, lists of texts, or `true` for a switch. */
export type Values<O extends Options> = {
  [K in keyof O]?: O[K] extends { value: string }
    ? O[K] extends { multiple: true }
      ? string[]
      : string
    : boolean;
};

export interface Command<O extends Options = Options> {
  /** The ways to write it, without the program's name. */
  usage: readonly string[];
  /** What `--help` says besides: plain text, no line over 100 characters. */
  details: string;
  options: O;
  /** How many words may stand beside the options. */
  words: { min: number; max: number };
  /** Resolves with the exit code. */
  run(call: Call<O>): Promise<number>;
}

export interface Call<O extends Options = Options> {
  values: Values<O>;
  words: string[];
  environment: NodeJS.ProcessEnv;
}

export function command<const O extends Options>(declaration: Command<O>): Command<O> {
  return declaration;
}

/** A wrong call: answered with the sentence and a pointer to the help, exit code 2. */
export class UsageError extends Error {}

/** Something that the person can mend; the message is a sentence for them. Exit code 1. */
export class CommandError extends Error {}

export const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;

/** Where the server of these settings answers, seen from this machine. */
export function localSite(config: Pick<Config, "host" | "port">): string {
  // A wildcard address is one to listen on, not one to call.
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[config.host] ?? config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}
