import { channelName } from "../text/names.ts";

export type ChannelSection = "general" | "personal" | "permissions" | "subscribers";

/** The address of a channel's settings, as other clients of this flavour write it. The name is for people. */
export function channelSettingsLink(channelId: number, section: ChannelSection = "general"): string {
  const name = channelName(channelId).replace(/[\s/]+/g, "-");
  return `#channels/${channelId}/${encodeURIComponent(name)}/${section}`;
}
