import { makeOperatorLink } from "../../server/accounts/password-reset/operator-link.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption, siteOf } from "../options/people.ts";

export const userResetPassword = command({
  usage: ["user reset-password EMAIL [--end-sessions]"],
  details: `
For somebody who has forgotten the password, where no mail can be sent. Prints a link by which they choose
another one; nothing is mailed but a notice. It works once, within a day. The password of now stays until
then, and so do second steps. The link ends when the account gets another address or other second steps, and
when sessions are ended: do that first. Make sure that the person who asks for it is really them.`,
  options: {
    "end-sessions": { description: "End all sessions now, such as those of a lost computer." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const endsSessions = values["end-sessions"] === true;
    const { link, expiresAt } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const site = await siteOf(services, state);
      return runStateChange(state, async (tx) => {
        const user = findPerson(state, email);
        if (user.botType !== null)
          throw new CommandError("account-unfit", `${email} is a bot, which has no password.`);
        return makeOperatorLink(tx, services, user, { site, endsSessions });
      });
    });
    const lost = endsSessions ? " All their sessions have ended." : "";
    const text = `With this link ${email} chooses another password, once, within a day.${lost}\n${link}\n`;
    print(values, text, { email, link, expires_at: expiresAt, sessions_ended: endsSessions });
    return exitCodes.ok;
  },
});
