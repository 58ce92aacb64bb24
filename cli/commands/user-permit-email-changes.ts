import { permitEmailChanges } from "../../server/people/update/permit-email-changes.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";

export const userPermitEmailChanges = command({
  usage: ["user permit-email-changes EMAIL [--revoke]"],
  details: `
Lets an administrator change the email addresses of others. Anyone who gives an account their own
address can sign in as that person, so nobody can do that at first, not even an owner.`,
  options: {
    revoke: { description: "Take the permission back." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const isPermitted = values.revoke !== true;
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      await runStateChange(state, (tx) => permitEmailChanges(tx, findPerson(state, email), isPermitted));
    });
    print(
      values,
      isPermitted
        ? `${email} can change the email addresses of others while they are an administrator.\n`
        : `${email} can no longer change the email addresses of others.\n`,
      { email, is_permitted: isPermitted },
    );
    return exitCodes.ok;
  },
});
