import type { Command, Option } from "./command.ts";

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
export function commandHelp({ usage, details, options }: Command): string {
  const rows = Object.entries(options).map(([name, option]) => ({
    left: `${option.short ? `-${option.short}, ` : ""}--${name}${placeholder(option)}`,
    right: option.description,
  }));
  rows.push({ left: "-h, --help", right: "Show this text." });
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

function placeholder({ value, isValueOptional }: Option): string {
  if (value === undefined) return "";
  return isValueOptional ? ` [${value}]` : ` ${value}`;
}
