import { randomInt } from "node:crypto";
import { joinDefaultChannels } from "../../server/channels/defaults/join-default-channels.ts";
import { createPerson } from "../../server/people/create-person.ts";
import { parseEmail, parseFullName } from "../../server/people/names.ts";
import { parsePassword } from "../../server/platform/crypto/passwords.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";
import { parseRole, roleName } from "../options/role.ts";

export const userCreate = command({
  usage: ["user create EMAIL NAME [--role ROLE] [--password PASSWORD] [--any-email]"],
  details: `
Creates an account for a person and subscribes it to the default channels, unless it is a guest's.
Without --password (or PARLEY_USER_PASSWORD) it makes up a password and prints it once.
An address that the organization's rules refuse is refused here too, without --any-email.`,
  options: {
    role: { value: "ROLE", description: "owner, administrator, moderator, member (the default) or guest." },
    password: { value: "PASSWORD", description: "The first password." },
    "any-email": { description: "Whatever the organization's rules for email addresses say." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [email = "", fullName = ""] = words;
    checkValue("EMAIL", parseEmail, email);
    checkValue("NAME", parseFullName, fullName);
    const role = parseRole(values.role ?? "member");
    const chosen = values.password ?? environment.PARLEY_USER_PASSWORD;
    const source = values.password === undefined ? "PARLEY_USER_PASSWORD" : "--password";
    const password = chosen ? checkValue(source, parsePassword, chosen) : makePassword();
    const user = await withInstallation(environment, async (services) => {
      const viewer = findOwner(await findOrganization(services, values.host));
      const person = { email, fullName, role, password, isEmailExempt: values["any-email"] === true };
      return createPerson(services.keyring, viewer, person, joinDefaultChannels);
    });
    const { id, email: address, fullName: name } = user;
    const shown = chosen ? "" : `The password, which is not shown again: ${password}\n`;
    print(values, `Created ${name} (${address}), ${roleName(role)}.\n${shown}`, {
      user_id: id,
      email: address,
      full_name: name,
      role,
      password: chosen ? null : password,
    });
    return exitCodes.ok;
  },
});

/** Four groups of four characters, without letters and digits that look alike. */
function makePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
