import { botTypes } from "../../api/integrations/bots.ts";
import { presentApiKey } from "../../server/accounts/sign-in/sign-in.ts";
import { createBot, parseShortName } from "../../server/integrations/bots/create-bot.ts";
import { parsePayloadUrl } from "../../server/integrations/bots/payload-url.ts";
import { parseFullName } from "../../server/people/names.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption, siteOf } from "../options/people.ts";
import { checkNoFile, writeZuliprc } from "../options/zuliprc.ts";

export const botCreate = command({
  usage: ["bot create SHORT_NAME FULL_NAME --owner EMAIL [--type TYPE] [--payload-url URL] [--zuliprc FILE]"],
  details: `
Creates a bot that a person owns. Its email address is SHORT_NAME-bot@HOST. Prints the address and the
API key, or writes both to a zuliprc file for programs. The bot is in no channel at first: its owner,
or the bot itself by the API, subscribes it. TYPE is generic, incoming-webhook for a bot that can only
send messages, or outgoing-webhook for one whose program the server calls at URL.`,
  options: {
    owner: { value: "EMAIL", description: "The person who owns it, and with whom it is deactivated." },
    type: { value: "TYPE", description: "generic (the default), incoming-webhook or outgoing-webhook." },
    "payload-url": { value: "URL", description: "What the server calls for an outgoing webhook bot." },
    zuliprc: { value: "FILE", description: "Write the account to a new file that only you can read." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [shortName = "", fullName = ""] = words;
    const { owner: ownerEmail, zuliprc: file, "payload-url": payloadUrl } = values;
    const botType = readType(values.type ?? "generic");
    if (ownerEmail === undefined) throw new UsageError("--owner EMAIL is missing: every bot has an owner.");
    if ((botType === botTypes.outgoingWebhook) !== (payloadUrl !== undefined))
      throw new UsageError("--payload-url goes with --type outgoing-webhook, which needs it.");
    checkShortName(shortName);
    if (payloadUrl !== undefined) checkPayloadUrl(payloadUrl);
    checkValue("FULL_NAME", parseFullName, fullName);
    if (file !== undefined) checkNoFile(file);
    const { bot, owner, account } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const created = await runStateChange(state, async (tx) => {
        const owner = findPerson(state, ownerEmail);
        if (owner.botType !== null)
          throw new CommandError("account-unfit", "--owner: a bot can't own another bot.");
        return {
          owner,
          bot: await createBot(tx, services.keyring, { shortName, fullName, owner, botType, payloadUrl }),
        };
      });
      const { api_key: apiKey } = await presentApiKey(state, services.keyring, created.bot);
      const site = await siteOf(services, state);
      return { ...created, account: { site, email: created.bot.email, apiKey } };
    });
    if (file !== undefined) writeZuliprc(file, account);
    const rest =
      file === undefined
        ? `Its API key: ${account.apiKey}`
        : `Wrote its account at ${account.site} to ${file}.`;
    print(values, `Created ${bot.fullName} (${bot.email}), a bot of ${owner.fullName}.\n${rest}\n`, {
      user_id: bot.id,
      email: bot.email,
      full_name: bot.fullName,
      bot_type: botType,
      bot_owner_id: owner.id,
      site: account.site,
      ...(file === undefined ? { api_key: account.apiKey } : { zuliprc: file }),
    });
    return exitCodes.ok;
  },
});

const types: Readonly<Record<string, number>> = {
  generic: botTypes.generic,
  "incoming-webhook": botTypes.incomingWebhook,
  "outgoing-webhook": botTypes.outgoingWebhook,
};

function readType(text: string): number {
  const type = types[text];
  if (type === undefined) throw new UsageError(`--type is one of ${Object.keys(types).join(", ")}.`);
  return type;
}

function checkPayloadUrl(text: string): void {
  try {
    parsePayloadUrl("payload_url", text);
  } catch (error) {
    throw new UsageError("--payload-url: a web address such as https://bot.example.com/chat.", {
      cause: error,
    });
  }
}

function checkShortName(text: string): void {
  try {
    parseShortName(text);
  } catch (error) {
    throw new UsageError(
      "SHORT_NAME: up to 60 letters and digits, with single dots, dashes or underscores between them.",
      { cause: error },
    );
  }
}
