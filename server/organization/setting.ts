import type { Static, TSchema } from "typebox";
import type { OrganizationSetting } from "../../api/setting.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { organization } from "./organization.ts";

/** The setting's present value: the chosen one, or its default. */
export function settingOf<S extends TSchema>(
  state: OrganizationState,
  setting: OrganizationSetting<S>,
): Static<S> {
  const chosen = state.get(organization).settings[setting.name];
  return chosen === undefined ? setting.default : (chosen as Static<S>);
}
