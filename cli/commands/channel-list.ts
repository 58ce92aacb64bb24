import { type Channel, channels } from "../../server/channels/channel.ts";
import { subscriberList } from "../../server/channels/subscriptions/subscriber-lists.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { channelData } from "../options/channels.ts";
import { jsonOption, printAll } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const channelList = command({
  usage: ["channel list [--all]"],
  details: `
Lists the channels of an organization by their names, private ones too: number, kind, how many active
people are subscribed, and name. With --all also archived channels.`,
  options: {
    all: { description: "Also list archived channels." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const listed = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return [...state.get(channels).all()]
        .filter(({ isArchived }) => values.all === true || !isArchived)
        .map((channel) => ({ channel, subscribers: subscriberList(state, channel.id).ids.length }))
        .sort((a, b) => (a.channel.name < b.channel.name ? -1 : 1));
    });
    const idWidth = Math.max(0, ...listed.map(({ channel }) => String(channel.id).length));
    const lineOf = ({ channel, subscribers }: (typeof listed)[number]) =>
      `${String(channel.id).padStart(idWidth)}  ${kindOf(channel).padEnd(10)}  ${String(subscribers).padStart(6)}  ${safeLine(channel.name)}${channel.isArchived ? " (archived)" : ""}`;
    printAll(values, listed, lineOf, ({ channel, subscribers }) => ({
      ...channelData(channel),
      subscriber_count: subscribers,
    }));
    return exitCodes.ok;
  },
});

function kindOf({ isPrivate, isWebPublic }: Channel): string {
  return isPrivate ? "private" : isWebPublic ? "web-public" : "public";
}
