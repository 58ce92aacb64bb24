import { endIdentity, nameOf, readIdentities } from "../../server/accounts/providers/identities.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print, printAll } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const userIdentities = command({
  usage: ["user identities EMAIL [--end ID]"],
  details: `
Lists the accounts at sign-in providers with which somebody can sign in: number, provider, how and when
it was connected, and the last use. With --end, one of them no longer works, and all sessions of the
person end. The person gets a mail.`,
  options: {
    end: { value: "ID", description: "End the one with this number." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const ended = values.end === undefined ? undefined : Number(values.end);
    if (ended !== undefined && !Number.isSafeInteger(ended)) throw new UsageError("--end: not a number");
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const user = findPerson(state, email);
      const all = await readIdentities(state, user.id);
      if (ended !== undefined) {
        if (!all.some(({ id }) => id === ended))
          throw new CommandError(
            "not-found",
            `${email} has no identity ${ended}. Without --end the command lists them.`,
          );
        await runStateChange(state, (tx) => endIdentity(tx, services, findPerson(state, email), ended));
        print(values, `Nobody signs in as ${email} by it any more.\n`, { email, ended });
        return;
      }
      if (all.length === 0 && values.json !== true)
        process.stdout.write(`${email} has no identity at a provider.\n`);
      const lineOf = ({ id, providerId, connectedBy, connectedAt, lastUsedAt }: (typeof all)[number]) => {
        const name = safeLine(nameOf(services.config, providerId));
        const dates = [connectedAt, lastUsedAt].map((date) => date.toISOString().slice(0, 10)).join("  ");
        return `${id}  ${name}  ${connectedBy.padEnd(8)}  ${dates}`;
      };
      printAll(values, all, lineOf, ({ id, providerId, connectedBy, connectedAt, lastUsedAt }) => ({
        id,
        provider: providerId,
        connected_by: connectedBy,
        connected_at: connectedAt,
        last_used_at: lastUsedAt,
      }));
    });
    return exitCodes.ok;
  },
});
