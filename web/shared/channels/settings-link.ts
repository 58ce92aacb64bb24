import { channelName } from "../text/names.ts";

export type ChannelSection = "general" | "personal" | "permissions" | "subscribers";

/** The settings of a channel, in the address grammar of the flavour. The name is for people. */
export function channelSettingsLink(channelId: number, section: ChannelSection = "general"): string {
  const name = channelName(channelId).replace(/[\s/]+/g, "-");
  return `#channels/${channelId}/${encodeURIComponent(name)}/${section}`;
}
