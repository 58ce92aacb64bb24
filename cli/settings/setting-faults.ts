import { type Config, readConfig } from "../../server/config.ts";
import type { FaultName } from "../../server/platform/faults/catalogue.ts";
import { FaultError } from "../../server/platform/faults/fault-error.ts";
import { ConfigError } from "../../server/setting-values.ts";
import { checkChosenFolder } from "../installation/own-folder.ts";
import { settingChecks } from "../start/before-start.ts";

export interface SettingFault {
  /** The setting that is wrong. */
  name: string;
  fault: FaultName;
  /** What a start would refuse with. */
  sentence: string;
}

/**
 * All that a start would refuse, where `serve` names the first only, and the settings as they are without
 * what is wrong. Opens no database and makes nothing.
 */
export function findSettingFaults(environment: NodeJS.ProcessEnv): {
  config: Config;
  faults: SettingFault[];
} {
  const { config, faults } = readWithoutFaults(environment);
  // A demo makes a folder of its own, so this one is for `serve` alone.
  const folder = ["PARLEY_DATA_DIR", () => checkChosenFolder(config, environment)] as const;
  for (const [name, check] of [folder, ...settingChecks(config, environment)]) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      faults.push({ name, fault: error.fault, sentence: error.message });
    }
  }
  return { config, faults };
}

/** Takes away the setting that is refused, and reads again, until the rest can be read. */
function readWithoutFaults(environment: NodeJS.ProcessEnv): { config: Config; faults: SettingFault[] } {
  const left = { ...environment };
  const faults: SettingFault[] = [];
  const removed = new Set<string>();
  for (;;) {
    try {
      return { config: readConfig(left), faults };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const named = error.message.match(/\b(?:PARLEY|AWS|DATABASE)_[A-Z_]*[A-Z]\b/g) ?? [];
      const name = named.find((each) => left[each]?.trim());
      if (name === undefined) throw error;
      // What is refused because of a setting that was taken away is not known to be wrong.
      if (!named.some((each) => removed.has(each)))
        faults.push({ name, fault: error.fault, sentence: error.message });
      delete left[name];
      removed.add(name);
    }
  }
}
