import { rm, stat } from "node:fs/promises";
import { recordOwnData } from "../../server/administration/own-data/record.ts";
import { AccountGone, writeOwnData } from "../../server/administration/own-data/write.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { explainNewFile } from "./export.ts";

export const userExport = command({
  usage: ["user export EMAIL FILE"],
  details: `
Writes a copy of somebody's own data to a new file, a gzipped tar file: account, profile, settings,
sessions, what they keep for themselves, the messages that they sent or received and may read now,
their reactions, and their files. No secret is in it. Give it to nobody but this person.
docs/exports.md says what is in it. The server may run meanwhile.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 2, max: 2 },
  async run({ words, values, environment }) {
    const [email = "", file = ""] = words;
    const written = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const user = findPerson(state, email);
      if (user.botType !== null) throw new CommandError("account-unfit", `${email} is a bot, and no person.`);
      const interruption = new AbortController();
      const interrupt = () =>
        interruption.abort(new CommandError("cancelled", "Interrupted. The file was deleted."));
      process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
      try {
        const { signal } = interruption;
        const counts = await writeOwnData(state, file, {
          user,
          files: services.files,
          withReceived: true,
          signal,
        });
        await runContentChange(state, (tx) => recordOwnData(tx, user.id)).catch(async (error) => {
          await rm(file, { force: true });
          throw error;
        });
        return counts;
      } catch (error) {
        throw error instanceof AccountGone ? error : explainNewFile(error, file);
      } finally {
        process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      }
    });
    const { messages_received: received, messages_sent: sent, files } = written;
    const { size: bytes } = await stat(file);
    if (values.json === true) print(values, "", { file, bytes, counts: written });
    process.stderr.write(
      `Exported the data of ${safeLine(email)} to ${file}: ${received} messages received, ${sent} sent, ${files} files\n`,
    );
    return exitCodes.ok;
  },
});
