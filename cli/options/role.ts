import { type Role, roles } from "../../api/roles.ts";
import { UsageError } from "../command.ts";
import { closest } from "../suggest.ts";

const names = Object.keys(roles);

/** For the help of a command. */
export const roleList = names.join(", ");

/** Reads the option `--role`, or another place of a role. Throws `UsageError` with a suggestion. */
export function parseRole(text: string, place = "--role"): Role {
  const name = text.toLowerCase();
  if (Object.hasOwn(roles, name)) return roles[name as keyof typeof roles];
  const meant = closest(name, names);
  throw new UsageError(
    `${place}: there is no role ${text}.${meant ? ` Did you mean ${meant}?` : ` The roles are ${roleList}.`}`,
  );
}

export function roleName(role: Role): string {
  return Object.entries(roles).find(([, value]) => value === role)?.[0] ?? "";
}
