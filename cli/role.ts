import { type Role, roles } from "../api/roles.ts";
import { UsageError } from "./command.ts";
import { closest } from "./suggest.ts";

/** Reads the option `--role`. Throws `UsageError` with a suggestion. */
export function parseRole(text: string): Role {
  const names = Object.keys(roles);
  const name = text.toLowerCase();
  if (Object.hasOwn(roles, name)) return roles[name as keyof typeof roles];
  const meant = closest(name, names);
  throw new UsageError(
    `--role: there is no role ${text}.${meant ? ` Did you mean ${meant}?` : ` The roles are ${names.join(", ")}.`}`,
  );
}

export function roleName(role: Role): string {
  return Object.entries(roles).find(([, value]) => value === role)?.[0] ?? "";
}
