import { discardMails } from "../../server/notifications/undelivered/discard.ts";
import { withNumber } from "../../server/platform/faults/catalogue.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { missingMails, parseMailIds } from "../options/mails.ts";
import { ask, canAsk } from "../terminal/prompt.ts";

/** More than anybody types. */
const MAX_WORDS = 200;

export const mailDiscard = command({
  usage: ["mail discard ID... [--yes]"],
  details: `
Throws away mails that have not left. Nobody gets them, and links in them stay unknown. It can't be
undone. parley mail queue prints their numbers. The audit log of each organization has how many there
were.`,
  options: { yes: { description: "Do not ask." }, json: jsonOption },
  words: { min: 1, max: MAX_WORDS },
  async run({ words, values, environment }) {
    const ids = [...new Set(parseMailIds(words))];
    if (values.yes !== true) {
      if (!canAsk()) throw new UsageError("Nobody can be asked here. Give --yes.");
      const which = ids.length === 1 ? `mail ${ids[0]}` : `${ids.length} mails`;
      const answer = await ask(`This can't be undone. Type yes to throw away ${which}`);
      if (answer.toLowerCase() !== "yes") throw new CommandError("cancelled", "Nothing was thrown away.");
    }
    const gone = await withInstallation(environment, (services) => discardMails(services, ids));
    const missing = missingMails(ids, gone);
    if (missing !== undefined) process.stderr.write(`${withNumber("not-found", missing)}\n`);
    const sentence = gone.length === 1 ? "Threw away 1 mail." : `Threw away ${gone.length} mails.`;
    print(values, `${sentence}\n`, { ids: gone });
    return missing === undefined ? exitCodes.ok : exitCodes.failure;
  },
});
