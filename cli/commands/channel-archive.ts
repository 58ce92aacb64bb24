import { changeChannel } from "../../server/channels/update/update.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { channelData, findChannel } from "../options/channels.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const channelArchive = command({
  usage: ["channel archive CHANNEL [--undo]"],
  details: `
Archives a channel: it takes no messages and leaves the lists, but its messages stay and can be found by who
could read them. With --undo it comes back, but not as a default channel. CHANNEL is its name or its
number.`,
  options: {
    undo: { description: "Take an archived channel back into use." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [named = ""] = words;
    const isArchived = values.undo !== true;
    const { channel, changed } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return changeState(findOwner(state), async (tx) => {
        const before = findChannel(state, named);
        const after = { ...before, isArchived, isDefault: before.isDefault && !isArchived };
        if (before.isArchived !== isArchived) await changeChannel(tx, before, after);
        return { channel: after, changed: before.isArchived !== isArchived };
      });
    });
    const how = isArchived ? "is archived" : "is in use";
    const text = `The channel ${safeLine(channel.name)} ${changed ? how : `${how} already`}.\n`;
    print(values, text, { ...channelData(channel), changed });
    return exitCodes.ok;
  },
});
