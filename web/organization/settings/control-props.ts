import type { SettingName } from "./setting-list.ts";

export interface ControlProps<N extends SettingName> {
  name: N;
  disabled: boolean;
  /** Why it is. */
  reason: string | undefined;
}
