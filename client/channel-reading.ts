/** What the first screen has to know of access to channels. The rest is in `channel-access.ts`. */
import type { Channel } from "./model/channels.ts";
import type { Model } from "./model/model.ts";
import type { GroupSetting } from "./model/wire.ts";
import { isGuest } from "./permissions.ts";

/** Also to join it. */
export function canReadChannel(model: Model, channel: Channel): boolean {
  if (model.subscriptions.isSubscribed(channel.id) || channel.isWebPublic) return true;
  return (
    !isGuest(model) &&
    (!channel.isPrivate || isNamed(model, channel.canAddSubscribersGroup, channel.canSubscribeGroup))
  );
}

/** COMPAT: groups give guests none of these. */
export function isNamed(model: Model, ...settings: (GroupSetting | undefined)[]): boolean {
  const { groups, viewer } = model;
  return (
    !isGuest(model) &&
    settings.some((setting) => setting !== undefined && groups.includes(setting, viewer.id))
  );
}
