import { deactivatePerson } from "../../server/people/deactivate/deactivate.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";

export const userDeactivate = command({
  usage: ["user deactivate EMAIL"],
  details: `
Ends all use of somebody's account and of the bots that they own: sessions, API keys and event queues stop
working at once. Their messages stay. parley user reactivate lets them in again.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 1, max: 1 },
  async run({ words, values, environment }) {
    const [email = ""] = words;
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      await changeState(findOwner(state), (tx) => {
        const user = findPerson(state, email);
        if (user.botType !== null)
          throw new CommandError("account-unfit", `${email} is a bot. Its owner deactivates it.`);
        return deactivatePerson(tx, user.id);
      });
    });
    print(values, `Deactivated the account of ${email}.\n`, { email, is_active: false });
    return exitCodes.ok;
  },
});
