import { randomInt } from "node:crypto";
import { type Role, roles } from "../api/roles.ts";
import { createPerson } from "../server/features/setup/create-person.ts";
import { parsePassword } from "../server/platform/crypto/passwords.ts";
import { command, exitCodes, UsageError } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { findOrganization, findOwner, hostOption } from "./people.ts";
import { closest } from "./suggest.ts";

export const userCreate = command({
  usage: ["user create EMAIL NAME [--role ROLE] [--password PASSWORD]"],
  details: `
Creates someone's account, subscribed to the default channels unless it is a guest's. Without
--password (or PARLEY_USER_PASSWORD) a password is made up and printed, once.`,
  options: {
    role: { value: "ROLE", description: "owner, administrator, moderator, member (the default) or guest." },
    password: { value: "PASSWORD", description: "The password to start with." },
    host: hostOption,
  },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [email = "", fullName = ""] = words;
    const role = parseRole(values.role ?? "member");
    const chosen = values.password ?? environment.PARLEY_USER_PASSWORD;
    const password = chosen ? parsePassword(chosen) : makePassword();
    const user = await withInstallation(environment, async (services) => {
      const viewer = findOwner(await findOrganization(services, values.host));
      return createPerson(services, viewer, { email, fullName, role, password });
    });
    process.stdout.write(`Created ${user.fullName} (${user.email}), ${roleName(role)}.\n`);
    if (!chosen) process.stdout.write(`The password, shown only now: ${password}\n`);
    return exitCodes.ok;
  },
});

function parseRole(text: string): Role {
  const names = Object.keys(roles);
  const role = (roles as Record<string, Role>)[text.toLowerCase()];
  if (role !== undefined) return role;
  const meant = closest(text.toLowerCase(), names);
  throw new UsageError(
    `There is no role ${text}.${meant ? ` Did you mean ${meant}?` : ` A role is ${names.join(", ")}.`}`,
  );
}

function roleName(role: Role): string {
  return Object.entries(roles).find(([, value]) => value === role)?.[0] ?? "";
}

/** Four groups of four, without letters and digits that look alike. */
function makePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
