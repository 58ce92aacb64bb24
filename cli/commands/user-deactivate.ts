import { deactivatePerson } from "../../server/people/deactivate/deactivate.ts";
import type { User } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";
import { MAX_ACCOUNTS, uniqueAddresses } from "../options/several-people.ts";

export const userDeactivate = command({
  usage: ["user deactivate EMAIL..."],
  details: `
Ends all use of somebody's account and of the bots that they own: sessions, API keys and event queues stop
working at once. Their messages stay. parley user reactivate lets them in again. With several addresses
nothing happens if one of them is wrong. Otherwise each account is a change of its own and a line of the
output.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 1, max: MAX_ACCOUNTS },
  async run({ words, values, environment }) {
    const emails = uniqueAddresses(words);
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      for (const email of emails) accessPerson(state, email);
      for (const email of emails) {
        await changeState(findOwner(state), (tx) => deactivatePerson(tx, accessPerson(state, email).id));
        print(values, `Deactivated the account of ${email}.\n`, { email, is_active: false });
      }
    });
    return exitCodes.ok;
  },
});

/** Throws CommandError for a bot. */
function accessPerson(state: OrganizationState, email: string): User {
  const user = findPerson(state, email);
  if (user.botType !== null)
    throw new CommandError("account-unfit", `${email} is a bot. Its owner deactivates it.`);
  return user;
}
