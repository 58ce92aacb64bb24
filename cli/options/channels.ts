import { type Channel, channels } from "../../server/channels/channel.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { CommandError } from "../command.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** A channel by its name or number. Those who run commands may see all of them. */
export function findChannel(state: OrganizationState, named: string): Channel {
  const channel = state.get(channels).findNamed(named);
  if (!channel) throw new CommandError("not-found", `There is no channel ${safeLine(named)}.`);
  return channel;
}

/** One that takes messages. */
export function findChannelInUse(state: OrganizationState, named: string): Channel {
  const channel = findChannel(state, named);
  if (channel.isArchived)
    throw new CommandError("not-found", `The channel ${safeLine(channel.name)} is archived.`);
  return channel;
}

/** What `--json` prints of a channel. The names of the fields are those of the API. */
export function channelData({ id, name, isPrivate, isWebPublic, isArchived }: Channel) {
  return {
    stream_id: id,
    name,
    invite_only: isPrivate,
    is_web_public: isWebPublic,
    is_archived: isArchived,
  };
}
