/** Settings that people type by hand, as options of commands. An option wins over the environment. */
import type { Command } from "./command.ts";

interface SettingOption {
  /** The setting that it is a name for. */
  setting: string;
  value: string;
  description: string;
}

export const settingOptions = {
  "data-dir": {
    setting: "PARLEY_DATA_DIR",
    value: "DIR",
    description: "The directory with the data, in place of PARLEY_DATA_DIR.",
  },
  host: {
    setting: "PARLEY_HOST",
    value: "ADDRESS",
    description: "The address to listen on, in place of PARLEY_HOST.",
  },
  port: { setting: "PARLEY_PORT", value: "PORT", description: "The port, in place of PARLEY_PORT." },
  "public-url": {
    setting: "PARLEY_PUBLIC_URL",
    value: "URL",
    description: "Where people find the server, in place of PARLEY_PUBLIC_URL.",
  },
} as const satisfies Record<string, SettingOption>;

export type SettingOptionName = keyof typeof settingOptions;

/** All commands but few work with an installation. */
const USUAL: readonly SettingOptionName[] = ["data-dir"];

/** The options of a command for settings, by their names. One that the command declares itself wins. */
export function settingOptionsOf({ settings = USUAL, options }: Pick<Command, "settings" | "options">) {
  const named = settings.filter((name) => !(name in options));
  return Object.fromEntries(named.map((name) => [name, settingOptions[name] as SettingOption]));
}

/** Puts the given options into the environment, which worker processes share. */
export function applySettings(
  given: Readonly<Record<string, string>>,
  environment: Record<string, string | undefined>,
): void {
  for (const [name, text] of Object.entries(given)) {
    environment[settingOptions[name as SettingOptionName].setting] = text;
  }
}
