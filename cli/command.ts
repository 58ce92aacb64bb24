import type { Config } from "../server/config.ts";
import { exitCodes as all } from "../server/platform/faults/exit-codes.ts";
import { FaultError } from "../server/platform/faults/fault-error.ts";
import type { SettingOptionName } from "./setting-options.ts";

/** An option as `--help` shows it. `value` is a placeholder; an option without one is a switch. */
export interface Option {
  value?: string;
  description: string;
  /** The option may also be given without a value, last or before another option. It is "" then. */
  isValueOptional?: boolean;
  /** May be given more than once. */
  multiple?: boolean;
  short?: string;
}

type Options = Record<string, Option>;

/** The values of options: texts, lists of texts, or `true` for a switch. */
export type Values<O extends Options> = {
  [K in keyof O]?: O[K] extends { value: string }
    ? O[K] extends { multiple: true }
      ? string[]
      : string
    : boolean;
};

export interface Command<O extends Options = Options> {
  /** Its usage lines, without the program's name. */
  usage: readonly string[];
  /** The description in `--help`: plain text, with no line over 100 characters. */
  details: string;
  options: O;
  /** Which settings may be given as options: the data directory if absent. */
  settings?: readonly SettingOptionName[];
  /** How many arguments it takes besides the options. */
  words: { min: number; max: number };
  /** Resolves with the exit code. */
  run(call: Call<O>): Promise<number>;
}

export interface Call<O extends Options = Options> {
  values: Values<O>;
  words: string[];
  /** With the settings that are given as options. */
  environment: NodeJS.ProcessEnv;
  /** Those settings, by the names of their options. */
  settings?: Readonly<Record<string, string>>;
  /** All commands, for those that describe them. */
  entries?: readonly CommandEntry[];
}

/** A command as the program knows it before it is loaded. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** Imports the command's module, so that only the requested one is read from disk. */
  load(): Promise<Command>;
}

export function command<const O extends Options>(declaration: Command<O>): Command<O> {
  return declaration;
}

/** A wrong call. The message and a pointer to the help are printed, and the exit code is 2. */
export class UsageError extends Error {}

/** A command can't do what it was asked for. The message is a sentence for the person who asked. */
export class CommandError extends FaultError {}

/** Those that a command resolves with itself. The others come with the fault of an error. */
export const exitCodes = { ok: all.ok, failure: all.failure, usage: all.usage } as const;

/**
 * The address of the server with these settings, as seen from this machine. With TLS it is people's address,
 * for which the certificate is.
 */
export function localSite(config: Pick<Config, "host" | "port" | "tls" | "publicUrl">): string {
  if (config.tls && config.publicUrl !== undefined) return config.publicUrl;
  // A wildcard address is for listening; clients can't connect to it.
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[config.host] ?? config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}
