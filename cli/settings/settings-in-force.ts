import { statSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../server/config.ts";
import { settingOptions } from "../setting-options.ts";
import { maskAddresses } from "./masked.ts";
import { findSettingFaults, type SettingFault } from "./setting-faults.ts";
import { commandSettings, type Setting, serverSettings } from "./setting-list.ts";

/** Where a value comes from. */
export type Source = "default" | "environment" | "option" | "file" | "data_directory";

export interface SettingInForce {
  name: string;
  /** Never a secret: `set` is in its place. undefined: there is none. */
  value: string | undefined;
  source: Source;
  /** The file that has the value. */
  file?: string;
  /** The option of the command line, such as `--port`. */
  option?: string;
  /** A remark for people. */
  note?: string;
  /** Who reads it. */
  reader: "server" | "commands";
  fault?: SettingFault;
}

/**
 * Every setting, and what a start would refuse. `options`: the settings that are given on the command line,
 * by the names of their options; they are in `environment` already.
 */
export function settingsInForce(
  environment: NodeJS.ProcessEnv,
  options: Readonly<Record<string, string>> = {},
): { settings: SettingInForce[]; faults: SettingFault[] } {
  const { config, faults } = findSettingFaults(environment);
  const describe = (reader: SettingInForce["reader"]) => (setting: Setting) => {
    const fault = faults.find(({ name }) => name === setting.name);
    return {
      name: setting.name,
      ...findValue(setting, environment, options, config, fault !== undefined),
      reader,
      ...(fault && { fault }),
    };
  };
  const settings = [...serverSettings.map(describe("server")), ...commandSettings.map(describe("commands"))];
  return { settings, faults };
}

type Found = Pick<SettingInForce, "value" | "source" | "file" | "option" | "note">;

function findValue(
  setting: Setting,
  environment: NodeJS.ProcessEnv,
  options: Readonly<Record<string, string>>,
  config: Config,
  isWrong: boolean,
): Found {
  const { name, kind, file, inForce } = setting;
  const text = environment[name]?.trim();
  if (!text) return name === "PARLEY_SECRET" ? ownSecret(config) : unset(setting, config);
  if (file !== undefined && text.startsWith("@")) {
    const note = file === "at SIGHUP" ? "read again at SIGHUP" : "read at the start";
    return { value: isWrong ? undefined : "set", source: "file", file: text.slice(1), note };
  }
  const given = (isWrong ? undefined : inForce?.(config)) ?? text;
  const value = kind === "secret" ? "set" : kind === "address" ? maskAddresses(given) : given;
  const option = optionOf(name, options);
  return option === undefined ? { value, source: "environment" } : { value, source: "option", option };
}

function unset({ inForce }: Setting, config: Config): Found {
  return { value: inForce?.(config), source: "default" };
}

/** The secret of a server that PARLEY_SECRET gives none. Only its place is looked at. */
function ownSecret({ dataDir, isDevelopment, databaseUrl }: Config): Found {
  if (isDevelopment) return { value: "set", source: "default", note: "the constant of development mode" };
  if (databaseUrl !== undefined) return { value: undefined, source: "default" };
  const file = path.join(dataDir, "secret");
  try {
    statSync(file);
    return { value: "set", source: "data_directory", file };
  } catch (error) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    const note = isMissing ? "made by the first start" : "which this user can't see";
    return { value: undefined, source: "data_directory", file, note };
  }
}

function optionOf(setting: string, options: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(settingOptions).find(
    ([option, { setting: name }]) => name === setting && option in options,
  );
  return found && `--${found[0]}`;
}
