import { parseChannelName } from "../../server/channels/names.ts";
import { changeChannel } from "../../server/channels/update/update.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { channelData, findChannel } from "../options/channels.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const channelRename = command({
  usage: ["channel rename CHANNEL NAME"],
  details: `
Gives a channel another name. CHANNEL is its name or its number. Links to its messages keep working.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [named = "", wanted = ""] = words;
    const name = checkValue("NAME", parseChannelName, wanted);
    const channel = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return changeState(findOwner(state), async (tx) => {
        const before = findChannel(state, named);
        const after = { ...before, name };
        await changeChannel(tx, before, after);
        return after;
      });
    });
    const text = `The channel ${channel.id} has the name ${safeLine(channel.name)}.\n`;
    print(values, text, channelData(channel));
    return exitCodes.ok;
  },
});
