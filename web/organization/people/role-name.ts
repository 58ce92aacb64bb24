import { type Role, type RoleName, roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";

const names = Object.keys(roles) as RoleName[];

export function roleName(role: number | undefined): string {
  const name = names.find((one) => roles[one] === role);
  return name === undefined ? "" : t(`role.${name}`);
}

/** What a control chose. */
export function roleOf(text: string): Role {
  const name = names.find((one) => String(roles[one]) === text) ?? "member";
  return roles[name];
}

/** For a control, from the highest to the lowest. Only owners can make owners, and administrators others. */
export function roleOptions(least: Role): { value: string; label: string }[] {
  return names
    .filter((name) => roles[name] >= least)
    .map((name) => ({ value: String(roles[name]), label: t(`role.${name}`) }));
}
