import { reactivateOrganization } from "../../server/organization/deactivate.ts";
import { organization } from "../../server/organization/organization.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const organizationReactivate = command({
  usage: ["organization reactivate --host HOST"],
  details: `
Lets people use a deactivated organization again. API keys and passwords are as they were; clients
register again. What fell due meanwhile is delivered within an hour. Scheduled messages that are more
than a day late are kept as failed.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (values.host === undefined) throw new UsageError("Name the organization with --host HOST.");
    const { name, hasChanged } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const { name } = state.get(organization);
      return { name, hasChanged: await runStateChange(state, reactivateOrganization) };
    });
    print(values, hasChanged ? `Reactivated ${safeLine(name)}.\n` : `${safeLine(name)} is active.\n`, {
      host: values.host,
      name,
      is_active: true,
      changed: hasChanged,
    });
    return exitCodes.ok;
  },
});
