import type { Command } from "./command.ts";

/** What `parley --help` prints. */
export function programHelp(commands: readonly { name: string; summary: string }[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "Parley, a team-chat server.",
    "",
    "Usage: parley COMMAND …",
    "",
    ...lines,
    "",
    "parley COMMAND --help says more about one. Settings come from the environment: see docs/running.md.",
    "",
  ].join("\n");
}

/** What `parley COMMAND --help` prints. */
export function commandHelp({ usage, details, options }: Command): string {
  const rows = Object.entries(options).map(([name, option]) => ({
    left: `${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` ${option.value}` : ""}`,
    right: option.description,
  }));
  rows.push({ left: "-h, --help", right: "This text." });
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
