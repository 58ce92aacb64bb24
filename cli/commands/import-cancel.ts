import { cancelImport } from "../../server/imports/core/cancel.ts";
import { ImportUnderWay } from "../../server/imports/core/import-lock.ts";
import { parseHost } from "../../server/organization/names.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";

export const importCancel = command({
  usage: ["import cancel --host HOST"],
  details: `
Takes back an import that was interrupted: everything that it wrote is deleted. An import that has ended is
an organization as others are, and stays.`,
  options: {
    host: { value: "HOST", description: "The host name that the import was given." },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (values.host === undefined) throw new UsageError("Name the import with --host HOST.");
    const host = checkValue("--host", parseHost, values.host);
    const outcome = await withInstallation(environment, (services) => cancelImport(services, host)).catch(
      (error) => {
        if (!(error instanceof ImportUnderWay)) throw error;
        throw new CommandError("import-running", `${error.message} Interrupt it first.`, { cause: error });
      },
    );
    if (outcome === "not found") throw new CommandError("not-found", `There is no import to ${host}.`);
    if (outcome === "finished") {
      throw new CommandError(
        "import-finished",
        `The import to ${host} has ended, and people may use it. parley organization deactivate --host ${host} stops all use of it.`,
      );
    }
    print(values, `The import to ${host} was taken back.\n`, { host, outcome });
    return exitCodes.ok;
  },
});
