import { listAllOrganizations } from "../../server/organization/list-all.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const organizationList = command({
  usage: ["organization list"],
  details: `
Lists the organizations of the server, the oldest first: host name, state and name. The first one also
answers under the server's own names.`,
  options: {},
  words: { min: 0, max: 0 },
  async run({ environment }) {
    const all = await withInstallation(environment, ({ database }) => listAllOrganizations(database));
    const width = Math.max(0, ...all.map(({ host }) => host.length));
    for (const { host, name, isActive } of all) {
      const state = isActive ? "active" : "deactivated";
      process.stdout.write(`${host.padEnd(width)}  ${state.padEnd(11)}  ${safeLine(name)}\n`);
    }
    return exitCodes.ok;
  },
});
