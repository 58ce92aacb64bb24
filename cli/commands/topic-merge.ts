import { mergeTopics } from "../../server/messages/move/merge-topics.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { findChannelInUse } from "../options/channels.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const topicMerge = command({
  usage: ["topic merge CHANNEL TOPIC"],
  details: `
Joins the topics of a channel whose names are the same to Parley, such as café written with one
character or with two for the é. They were made before names were stored in one form; parley doctor
lists them. All messages end in the oldest of the topics. What people follow and have read stays.
CHANNEL is the name or the number of the channel.`,
  options: { host: hostOption, json: jsonOption },
  words: { min: 2, max: 2 },
  async run({ values, words, environment }) {
    const [channelName = "", topicName = ""] = words;
    const merged = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const channel = findChannelInUse(state, channelName);
      return changeState(findOwner(state), (tx) => mergeTopics(tx, channel, topicName));
    });
    const name = safeLine(merged.topic === "" ? "the topic without a name" : merged.topic);
    print(
      values,
      merged.topics === 0
        ? `There is only one topic with messages of that name: ${name}.\n`
        : `Moved ${merged.messages} messages of ${merged.topics} more topics to ${name}.\n`,
      merged,
    );
    return exitCodes.ok;
  },
});
