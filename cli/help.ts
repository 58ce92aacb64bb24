import type { Command, Option } from "./command.ts";
import { settingOptionsOf } from "./setting-options.ts";

interface CommandLine {
  name: string;
  summary: string;
}

/** What `parley --help` prints. */
export function programHelp(commands: readonly CommandLine[]): string {
  return [
    "Parley, a team-chat server.",
    "",
    "Usage: parley COMMAND …",
    "",
    ...listCommands(commands),
    "",
    "Run parley COMMAND --help for more about one. Settings come from the environment: see docs/running.md.",
    "parley help P216 explains the fault with this number, which ends a sentence that a command prints.",
    "",
  ].join("\n");
}

/** What `parley user --help` prints: the commands that begin with one word. */
export function groupHelp(group: string, commands: readonly CommandLine[]): string {
  return [
    `Usage: parley ${group} COMMAND …`,
    "",
    ...listCommands(commands),
    "",
    `Run parley ${group} COMMAND --help for more about one.`,
    "",
  ].join("\n");
}

function listCommands(commands: readonly CommandLine[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

/** What `parley COMMAND --help` prints. */
export function commandHelp(command: Command): string {
  const { usage, details } = command;
  const rows = describeOptions(command);
  const width = Math.max(...rows.map(({ left }) => left.length));
  return [
    ...usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} parley ${line}`),
    "",
    details.trim(),
    "",
    "Options:",
    ...rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`),
    "",
  ].join("\n");
}

/** All options of a command, each as one types it and what it does. */
export function describeOptions(command: Command): { left: string; right: string }[] {
  const options: Command["options"] = { ...command.options, ...settingOptionsOf(command) };
  const rows = Object.entries(options).map(([name, option]) => ({
    left: `${option.short ? `-${option.short}, ` : ""}--${name}${placeholder(option)}`,
    right: option.description,
  }));
  return [...rows, { left: "-h, --help", right: "Show this text." }];
}

function placeholder({ value, isValueOptional }: Option): string {
  if (value === undefined) return "";
  return isValueOptional ? ` [${value}]` : ` ${value}`;
}
