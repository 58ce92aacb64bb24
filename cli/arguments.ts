import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Command, UsageError, type Values } from "./command.ts";
import { settingOptionsOf } from "./setting-options.ts";
import { closest } from "./suggest.ts";

export interface Arguments {
  values: Values<Command["options"]>;
  /** Given by options for settings: see `setting-options.ts`. */
  settings: Record<string, string>;
  words: string[];
  wantsHelp: boolean;
}

/** Parses the arguments after a command's name. Throws a UsageError that says what is wrong with them. */
export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const { values, positionals } = parse(command, argv);
  const { help, ...given } = values as { help?: boolean } & Values<Command["options"]>;
  if (!help) checkWords(command, positionals);
  const names = Object.keys(settingOptionsOf(command));
  const isSetting = ([name]: [string, unknown]) => names.includes(name);
  return {
    values: Object.fromEntries(Object.entries(given).filter((each) => !isSetting(each))),
    settings: Object.fromEntries(
      Object.entries(given)
        .filter(isSetting)
        .map(([name, text]) => [name, String(text)]),
    ),
    words: positionals,
    wantsHelp: help === true,
  };
}

function parse(command: Command, argv: readonly string[]) {
  const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  const declared: Command["options"] = { ...command.options, ...settingOptionsOf(command) };
  for (const [name, { value, multiple, short }] of Object.entries(declared)) {
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(multiple ? { multiple } : {}),
      ...(short === undefined ? {} : { short }),
    };
  }
  try {
    return parseArgs({ args: withEmptyValues(command, argv), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error as Error & { code?: string }, Object.keys(options)));
  }
}

/** Gives `--name` an empty value where the command allows it without one, which the parser does not know. */
function withEmptyValues(command: Command, argv: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((word, index) => {
    const option = word.startsWith("--") && index < end ? command.options[word.slice(2)] : undefined;
    const next = argv[index + 1];
    return option?.isValueOptional && (next === undefined || /^-./.test(next)) ? `${word}=` : word;
  });
}

function explain(error: Error & { code?: string }, names: string[]): string {
  const [, written = ""] = /^[^']*'([^' ,]+)/.exec(error.message) ?? [];
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const meant = closest(written.replace(/^-+/, ""), names);
    const hint = meant ? ` Did you mean --${meant}?` : " Put a text that begins with a dash after --.";
    return `There is no option ${written}.${hint}`;
  }
  if (error.code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    return error.message.includes("does not take an argument")
      ? `${written} takes no value.`
      : `${written} needs a value. If the value begins with a dash, write ${written}=VALUE.`;
  }
  return error.message;
}

function checkWords({ words, usage }: Command, given: string[]): void {
  if (given.length >= words.min && given.length <= words.max) return;
  const problem =
    given.length < words.min ? "Missing argument." : `Unexpected argument '${given[words.max]}'.`;
  throw new UsageError(`${problem} Usage: parley ${usage[0]}`);
}
