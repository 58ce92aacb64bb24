import { updateUserAsAdministrator } from "../../server/people/update/update-user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";
import { parseRole, roleList, roleName } from "../options/role.ts";

export const userRole = command({
  usage: ["user role EMAIL ROLE"],
  details: `
Gives somebody another role: ${roleList}. The only owner keeps theirs. Bots of somebody who may do less
from now on may do no more than their owner.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 2, max: 2 },
  async run({ words, values, environment }) {
    const [email = "", name = ""] = words;
    const role = parseRole(name, "ROLE");
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      await changeState(findOwner(state), (tx) =>
        updateUserAsAdministrator(tx, { userId: findPerson(state, email).id }, { role }, addressStays),
      );
    });
    print(values, `${email} has the role ${roleName(role)}.\n`, { email, role });
    return exitCodes.ok;
  },
});

async function addressStays(): Promise<void> {}
