import { resetSecondSteps } from "../../server/accounts/second-steps/actions.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";

export const userResetSecondStep = command({
  usage: ["user reset-second-step EMAIL"],
  details: `
For somebody who has lost their second step and their recovery codes. Removes their authenticator app,
their recovery codes and all their passkeys, and ends their sessions. Accounts at providers that were
connected by the password alone end too. From then on the password is enough. The person gets a mail.
Make sure that the person who asks for this is really them.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const hadAny = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return runStateChange(state, (tx) => resetSecondSteps(tx, services, findPerson(state, email).id));
    });
    print(
      values,
      hadAny
        ? `${email} signs in by the password alone now.\n`
        : `${email} has no second step, and no identity that was connected by the password.\n`,
      { email, changed: hadAny },
    );
    return exitCodes.ok;
  },
});
