import { presentApiKey } from "../server/features/auth/sign-in.ts";
import { createBot, parseShortName } from "../server/features/users/create-bot.ts";
import { parseFullName } from "../server/features/users/names.ts";
import { runStateChange } from "../server/platform/log/change.ts";
import { checkValue } from "./check-value.ts";
import { CommandError, command, exitCodes, UsageError } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { findOrganization, findPerson, hostOption, siteOf } from "./people.ts";
import { checkNoFile, writeZuliprc } from "./zuliprc.ts";

export const botCreate = command({
  usage: ["bot create SHORT_NAME FULL_NAME --owner EMAIL [--zuliprc FILE]"],
  details: `
Creates a bot that a person owns. Its email address is SHORT_NAME-bot@HOST. Prints the address and the
API key, or writes both to a zuliprc file for programs. The bot is in no channel at first: its owner,
or the bot itself by the API, subscribes it.`,
  options: {
    owner: { value: "EMAIL", description: "The person who owns it, and with whom it is deactivated." },
    zuliprc: { value: "FILE", description: "Write the account to a new file that only you can read." },
    host: hostOption,
  },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [shortName = "", fullName = ""] = words;
    const { owner: ownerEmail, zuliprc: file } = values;
    if (ownerEmail === undefined) throw new UsageError("--owner EMAIL is missing: every bot has an owner.");
    checkShortName(shortName);
    checkValue("FULL_NAME", parseFullName, fullName);
    if (file !== undefined) checkNoFile(file);
    const { bot, owner, account } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const created = await runStateChange(state, async (tx) => {
        const owner = findPerson(state, ownerEmail);
        if (owner.botType !== null) throw new CommandError("--owner: a bot can't own another bot.");
        return { owner, bot: await createBot(tx, services.keyring, { shortName, fullName, owner }) };
      });
      const { api_key: apiKey } = await presentApiKey(state, services.keyring, created.bot);
      const site = await siteOf(services, state);
      return { ...created, account: { site, email: created.bot.email, apiKey } };
    });
    process.stdout.write(`Created ${bot.fullName} (${bot.email}), a bot of ${owner.fullName}.\n`);
    if (file === undefined) {
      process.stdout.write(`Its API key: ${account.apiKey}\n`);
    } else {
      writeZuliprc(file, account);
      process.stdout.write(`Wrote its account at ${account.site} to ${file}.\n`);
    }
    return exitCodes.ok;
  },
});

function checkShortName(text: string): void {
  try {
    parseShortName(text);
  } catch (error) {
    throw new CommandError(
      "SHORT_NAME: up to 60 letters and digits, with single dots, dashes or underscores between them.",
      { cause: error },
    );
  }
}
