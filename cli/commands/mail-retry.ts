import { isCopy } from "../../server/platform/backup/copy-mark.ts";
import { withNumber } from "../../server/platform/faults/catalogue.ts";
import { retryMails } from "../../server/platform/mail/queue.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { missingMails, parseMailIds } from "../options/mails.ts";
import { findOrganization } from "../options/people.ts";

/** More than anybody types. */
const MAX_WORDS = 200;

export const mailRetry = command({
  usage: ["mail retry ID... [--host HOST]", "mail retry --all [--host HOST]"],
  details: `
Lets mails be sent now, with all their tries before them: those that wait, those that have failed and
those that the mail server has refused. The running server sends them within seconds; without one, its
next start does. parley mail queue prints their numbers and, later, the new answers.`,
  options: {
    all: { description: "All mails of the queue." },
    host: { value: "HOST", description: "Mails of the organization with this host name alone." },
    json: jsonOption,
  },
  words: { min: 0, max: MAX_WORDS },
  async run({ words, values, environment }) {
    const ids = parseMailIds(words);
    if (ids.length > 0 === (values.all === true)) {
      throw new UsageError("Name mails by their numbers, or all of them with --all.");
    }
    const found = await withInstallation(environment, async (services) => {
      if (isCopy(services.config.dataDir)) {
        throw new CommandError(
          "installation-copy",
          "This is a copy of an installation, which mails nobody. Nothing was changed.",
        );
      }
      const chosen = values.host === undefined ? undefined : await findOrganization(services, values.host);
      const { organizationId } = chosen ?? {};
      return retryMails(services.database, { organizationId, ids: values.all === true ? undefined : ids });
    });
    const missing = missingMails(ids, found);
    if (missing !== undefined) process.stderr.write(`${withNumber("not-found", missing)}\n`);
    const sentence = found.length === 1 ? "1 mail is due now." : `${found.length} mails are due now.`;
    print(values, `${sentence}\n`, { ids: found });
    return missing === undefined ? exitCodes.ok : exitCodes.failure;
  },
});
