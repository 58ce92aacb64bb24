import { erasePerson } from "../../server/administration/erasure/actions.ts";
import { finish } from "../../server/administration/erasure/finish.ts";
import { previewErasure } from "../../server/administration/erasure/preview.ts";
import { type User, users } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";
import { ask, canAsk } from "../terminal/prompt.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Longer than the command takes in most organizations. A job ends what a command has left by then. */
const LEFT_AFTER_MS = 10 * 60_000;

export const userErase = command({
  usage: ["user erase EMAIL [--messages keep|delete] [--dry-run] [--yes]"],
  details: `
Deletes everything that tells who a person was: name, address, picture, profile, sessions, keys,
drafts and the rest. The account stays, deactivated, as "Deleted user" with its number. Messages
stay under that name, without their earlier texts, or are deleted. Mentions of the person get that
name. It can't be undone. docs/users.md says what stays for some days. Backups have the person until
they expire.`,
  options: {
    host: hostOption,
    json: jsonOption,
    messages: {
      value: "keep|delete",
      description: "What becomes of the person's messages; keep by default.",
    },
    "dry-run": { description: "Say in numbers what would be deleted, and delete nothing." },
    yes: { description: "Don't ask for the address again." },
  },
  words: { min: 1, max: 1 },
  async run({ words, values, environment }) {
    const [email = ""] = words;
    const { messages = "keep" } = values;
    if (messages !== "keep" && messages !== "delete") throw new UsageError("--messages is keep or delete.");
    const isTrial = values["dry-run"] === true;
    const isAsked = !isTrial && values.yes !== true;
    if (isAsked && !canAsk())
      throw new UsageError("Nobody can be asked here. Give --yes, or --dry-run first.");
    const report = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const user = findPersonToErase(state, email);
      if (isTrial) {
        const preview = await previewErasure(state, user);
        const { messages: count, rows } = preview;
        return {
          text: describe(user, messages, preview),
          data: { user_id: user.id, dry_run: true, messages: count, rows: Object.fromEntries(rows) },
        };
      }
      if (isAsked) await confirm(email);
      const runAt = new Date(Date.now() + LEFT_AFTER_MS);
      const erased = await changeState(findOwner(state), (tx) =>
        erasePerson(tx, services, { userId: user.id, keepsMessages: messages === "keep", runAt }),
      );
      await finish(services, state, user.id);
      return {
        text: `Erased the person who had the address ${email}. The account is now "${erased.fullName}".\n`,
        data: { user_id: user.id, dry_run: false, full_name: erased.fullName },
      };
    });
    print(values, report.text, report.data);
    return exitCodes.ok;
  },
});

/** An active or deactivated person: see `erasePerson` for the rest. */
function findPersonToErase(state: OrganizationState, email: string): User {
  const user = state.get(users).findManaged(email);
  if (!user)
    throw new CommandError("account-missing", `There is no account with the email address ${email}.`);
  if (user.botType !== null)
    throw new CommandError("account-unfit", `${email} is a bot. Only people can be erased.`);
  return user;
}

async function confirm(email: string): Promise<void> {
  const answer = await ask(`This can't be undone. Type ${email} to erase this person`);
  if (answer.toLowerCase() !== email.toLowerCase())
    throw new CommandError("cancelled", "Nothing was erased.");
}

function describe(
  user: User,
  messages: string,
  { messages: count, rows }: Awaited<ReturnType<typeof previewErasure>>,
): string {
  const lines = [
    `${safeLine(user.fullName)} would become "Deleted user ${user.id}".`,
    `${count} messages would be ${messages === "keep" ? "kept under that name" : "deleted"}.`,
    "Rows that would be deleted:",
    ...[...rows].map(([table, number]) => `  ${table.padEnd(26)}${number}`),
  ];
  return `${lines.join("\n")}\n`;
}
