import { deactivateOrganization } from "../../server/organization/deactivate.ts";
import { organization } from "../../server/organization/organization.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { ask, canAsk } from "../terminal/prompt.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const organizationDeactivate = command({
  usage: ["organization deactivate --host HOST [--yes]"],
  details: `
Stops all use of an organization at once: nobody can sign in, calls are refused, and what people have
scheduled waits. Nothing is deleted; parley organization reactivate undoes it. At a terminal it asks
for the organization's name first.`,
  options: {
    host: hostOption,
    json: jsonOption,
    yes: { description: "Do not ask." },
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (values.host === undefined) throw new UsageError("Name the organization with --host HOST.");
    if (values.yes !== true && !canAsk()) {
      throw new UsageError("Give --yes: there is no terminal at which to ask for the organization's name.");
    }
    const { name, hasChanged } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const { name } = state.get(organization);
      if (values.yes !== true)
        checkName(name, await ask(`To deactivate it, type its name (${safeLine(name)})`));
      return { name, hasChanged: await runStateChange(state, deactivateOrganization) };
    });
    print(
      values,
      hasChanged
        ? `Deactivated ${safeLine(name)}. Nobody can use it until parley organization reactivate --host ${values.host}.\n`
        : `${safeLine(name)} was deactivated before.\n`,
      { host: values.host, name, is_active: false, changed: hasChanged },
    );
    return exitCodes.ok;
  },
});

function checkName(name: string, typed: string): void {
  if (typed !== name) throw new CommandError("cancelled", "That is not its name; nothing was changed.");
}
