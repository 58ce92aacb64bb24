import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationSetting } from "../../../api/setting.ts";
import { accessChannel } from "../../channels/access.ts";
import { checkModerationChannel } from "../../channels/moderation-channel.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";

/** Throws for a channel that the viewer may not know of, or that can't be the value of this setting. */
export function checkChannelChoice(viewer: Viewer, { name }: OrganizationSetting, id: number): void {
  const channel = accessChannel(viewer, id);
  if (name === organizationSettings.moderationRequestChannelId.name) checkModerationChannel(channel);
}
