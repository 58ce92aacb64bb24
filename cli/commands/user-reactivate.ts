import { reactivateAccount } from "../../server/people/deactivate/reactivate.ts";
import { users } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";

export const userReactivate = command({
  usage: ["user reactivate EMAIL"],
  details: `
Lets somebody whose account was deactivated use it again, with the channels, groups and password of before
and a new API key. The bots that they own stay deactivated.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 1, max: 1 },
  async run({ words, values, environment }) {
    const [email = ""] = words;
    const wasActive = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return changeState(findOwner(state), async (tx) => {
        const user = state.get(users).findManaged(email);
        if (!user)
          throw new CommandError("account-missing", `There is no account with the email address ${email}.`);
        if (user.botType !== null)
          throw new CommandError("account-unfit", `${email} is a bot. Its owner reactivates it.`);
        await reactivateAccount(tx, services.keyring, user.id, neverABot);
        return user.isActive;
      });
    });
    print(
      values,
      wasActive ? `The account of ${email} was active.\n` : `Reactivated the account of ${email}.\n`,
      { email, is_active: true, changed: !wasActive },
    );
    return exitCodes.ok;
  },
});

function neverABot(): void {
  throw new Error("bots are refused before");
}
