import { listAllOrganizations } from "../../server/organization/list-all.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, printAll } from "../options/json.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const organizationList = command({
  usage: ["organization list"],
  details: `
Lists the organizations of the server, the oldest first: host name, state and name. The first one also
answers under the server's own names.`,
  options: { json: jsonOption },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const all = await withInstallation(environment, ({ database }) => listAllOrganizations(database));
    const width = Math.max(0, ...all.map(({ host }) => host.length));
    const lineOf = ({ host, name, isActive }: (typeof all)[number]) =>
      `${host.padEnd(width)}  ${(isActive ? "active" : "deactivated").padEnd(11)}  ${safeLine(name)}`;
    printAll(values, all, lineOf, ({ host, name, isActive }) => ({ host, name, is_active: isActive }));
    return exitCodes.ok;
  },
});
