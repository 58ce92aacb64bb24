import { type User, users } from "../../server/people/user.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonLine, jsonOption } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { roleName } from "../options/role.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const userList = command({
  usage: ["user list [--all] [--json]"],
  details: `
Lists the people of an organization by their email addresses: address, role, the day on which the account
was made, and name. With --all also bots and deactivated accounts, which are marked.`,
  options: {
    all: { description: "Also list bots and deactivated accounts." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const all = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return [...state.get(users).all()];
    });
    const listed = all
      .filter(({ isActive, botType }) => values.all === true || (isActive && botType === null))
      .sort((a, b) => (a.email < b.email ? -1 : 1));
    const lines = values.json === true ? listed.map((user) => jsonLine(dataOf(user))) : tableOf(listed);
    for (const line of lines) process.stdout.write(`${line}\n`);
    return exitCodes.ok;
  },
});

function tableOf(listed: readonly User[]): string[] {
  const width = Math.max(0, ...listed.map(({ email }) => email.length));
  return listed.map(({ email, role, joinedAt, fullName, isActive, botType }) => {
    const marks = [...(botType === null ? [] : ["bot"]), ...(isActive ? [] : ["deactivated"])];
    const name = safeLine(fullName) + (marks.length > 0 ? ` (${marks.join(", ")})` : "");
    return `${email.padEnd(width)}  ${roleName(role).padEnd(13)}  ${joinedAt.slice(0, 10)}  ${name}`;
  });
}

/** The names of the fields are those of the API. */
function dataOf({ id, email, fullName, role, isActive, botType, botOwnerId, joinedAt }: User): object {
  return {
    user_id: id,
    email,
    full_name: fullName,
    role,
    is_active: isActive,
    is_bot: botType !== null,
    bot_owner_id: botOwnerId,
    date_joined: joinedAt,
  };
}
