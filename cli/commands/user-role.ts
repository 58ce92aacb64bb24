import { updateUserAsAdministrator } from "../../server/people/update/update-user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";
import { parseRole, roleList, roleName } from "../options/role.ts";
import { MAX_ACCOUNTS, uniqueAddresses } from "../options/several-people.ts";

export const userRole = command({
  usage: ["user role EMAIL... ROLE"],
  details: `
Gives somebody another role: ${roleList}. The only owner keeps theirs. Bots of somebody who may do less
from now on may do no more than their owner. With several addresses nothing happens if one of them is
wrong. Otherwise each person is a change of their own and a line of the output.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 2, max: MAX_ACCOUNTS + 1 },
  async run({ words, values, environment }) {
    const role = parseRole(words.at(-1) ?? "", "ROLE");
    const emails = uniqueAddresses(words.slice(0, -1));
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      for (const email of emails) findPerson(state, email);
      for (const email of emails) {
        // Two owners at once would both see the other one stay.
        await changeState(findOwner(state), (tx) =>
          updateUserAsAdministrator(tx, { userId: findPerson(state, email).id }, { role }, addressStays),
        );
        print(values, `${email} has the role ${roleName(role)}.\n`, { email, role });
      }
    });
    return exitCodes.ok;
  },
});

async function addressStays(): Promise<void> {}
