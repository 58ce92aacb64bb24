import { isIP } from "node:net";
import { unlockAccount } from "../../server/accounts/sign-in/unlock.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";

export const userUnlock = command({
  usage: ["user unlock EMAIL [--network ADDRESS]"],
  details: `
Lets somebody sign in at once after too many wrong passwords or codes. What counts against their account is
forgotten. Twenty wrong passwords from one network are counted for all who are new there; --network forgets
these too. Look at the log first: many lines "a sign-in failed" may be somebody who guesses.`,
  options: {
    host: hostOption,
    json: jsonOption,
    network: { value: "ADDRESS", description: "An IP address in the network that is refused." },
  },
  words: { min: 1, max: 1 },
  async run({ words, values, environment }) {
    const [email = ""] = words;
    const { network } = values;
    if (network !== undefined && isIP(network) === 0)
      throw new UsageError("--network: give an IP address such as 203.0.113.7.");
    const hadAny = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return runContentChange(state, (tx) => unlockAccount(tx, findPerson(state, email).id, network));
    });
    print(
      values,
      hadAny ? `${email} can sign in again.\n` : `No wrong passwords or codes count against ${email}.\n`,
      { email, changed: hadAny },
    );
    return exitCodes.ok;
  },
});
