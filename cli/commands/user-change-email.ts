import { changeAddress } from "../../server/accounts/proof/operator-address.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";

export const userChangeEmail = command({
  usage: ["user change-email EMAIL NEW_EMAIL [--any-email]"],
  details: `
Gives somebody another email address, with which they sign in from then on. Both addresses get a mail, and
links that were mailed to the former one end. Sessions and API keys stay: see user sessions and api-key.
Make sure that the new address is really theirs: whoever reads its mail can set the password.`,
  options: {
    "any-email": { description: "Whatever the organization's rules for email addresses say." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [former = "", wanted = ""] = words;
    const { id, email } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return changeState(findOwner(state), async (tx) => {
        const user = findPerson(state, former);
        if (user.botType !== null)
          throw new CommandError("account-unfit", `${former} is a bot, whose address stays.`);
        return changeAddress(tx, services, user, {
          email: wanted,
          isEmailExempt: values["any-email"] === true,
        });
      });
    });
    print(values, `${former} has the address ${email} now.\n`, { user_id: id, former_email: former, email });
    return exitCodes.ok;
  },
});
