import { createChannel } from "../../server/channels/create/create.ts";
import { subscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { channelData } from "../options/channels.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, findPerson, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const MOST_PEOPLE = 1000;

export const channelCreate = command({
  usage: ["channel create NAME [EMAIL...] [--private] [--description TEXT]"],
  details: `
Makes a channel and subscribes these people to it. A private channel needs at least one: nobody else could
find it. No message announces the channel.`,
  options: {
    private: { description: "Only its subscribers see the channel." },
    description: { value: "TEXT", description: "What the channel is for." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 + MOST_PEOPLE },
  async run({ values, words, environment }) {
    const [name = "", ...emails] = words;
    const isPrivate = values.private === true;
    if (isPrivate && emails.length === 0)
      throw new UsageError("--private: give the address of at least one person, who can let others in.");
    const { description } = values;
    const { channel, subscribed } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      return changeState(findOwner(state), async (tx) => {
        const people = [...new Set(emails.map((email) => findPerson(state, email)))];
        const made = await createChannel(tx, {
          ...{ name, isPrivate },
          ...(description !== undefined && { description }),
        });
        await subscribe(tx, [made], people);
        return { channel: made, subscribed: people.length };
      });
    });
    const kind = isPrivate ? "private channel" : "channel";
    const text = `Made the ${kind} ${safeLine(channel.name)}, number ${channel.id}, with ${subscribed} ${subscribed === 1 ? "subscriber" : "subscribers"}.\n`;
    print(values, text, { ...channelData(channel), subscriber_count: subscribed });
    return exitCodes.ok;
  },
});
