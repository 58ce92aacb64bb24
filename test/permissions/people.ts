import type { CastName } from "../harness/harness.ts";
import { roles } from "./roles.js";

export { roles };

export type Role = (typeof roles)[number];

/**
 * The user who acts in each role. The bot has the role of a full member; the stranger owns another
 * organization.
 */
export const actors: Record<Role, CastName | undefined> = {
  owner: "ada",
  administrator: "ben",
  moderator: "cleo",
  "full member": "dev",
  "new member": "elin",
  guest: "gus",
  bot: "echo",
  stranger: "zed",
  nobody: undefined,
};

export function hasAccount(role: Role): boolean {
  return role !== "stranger" && role !== "nobody";
}
