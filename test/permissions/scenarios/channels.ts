/** The causes of events of channels, subscriptions and folders. */

import { setTopicVisibility } from "../../../api/attention/user-topics.ts";
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from "../../../api/channels/channel-folders.ts";
import { createDefaultChannelGroup } from "../../../api/channels/default-channels.ts";
import { subscribe, unsubscribe, updateSubscription } from "../../../api/channels/subscriptions.ts";
import { updateChannel } from "../../../api/channels/update-channel.ts";
import { folderAdded, foldersReordered, folderUpdated } from "../../../api/events/channel-folders.ts";
import { channelCreated, channelDeleted, channelUpdated } from "../../../api/events/channels.ts";
import { defaultChannelGroupsChanged, defaultChannelsChanged } from "../../../api/events/default-channels.ts";
import {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
} from "../../../api/events/subscriptions.ts";
import { mutedTopicsChanged, userTopicChanged } from "../../../api/events/user-topics.ts";
import { kindOptions } from "../expected-access.ts";
import { byEach, inChannels, type Scenario, toAll } from "../scenario.ts";
import { channelNamed } from "./channel-named.ts";

export const channelScenarios: readonly Scenario[] = [
  inChannels(channelCreated, "seers", async ({ olga, kind, freshName, harness }) => {
    const { isPrivate = false, isWebPublic = false, isHistoryShared } = kindOptions[kind];
    await olga(subscribe, {
      subscriptions: [{ name: freshName }],
      invite_only: isPrivate,
      is_web_public: isWebPublic,
      ...(isHistoryShared === undefined ? undefined : { history_public_to_subscribers: isHistoryShared }),
    });
    return { channelId: channelNamed(harness, freshName) };
  }),
  inChannels(channelUpdated, "seers", ({ olga, channel }) =>
    olga(updateChannel, { stream_id: channel.id, description: "For *soup*" }),
  ),
  byEach(channelDeleted, leavePrivateChannel, { exceptFor: ["owner", "administrator"] }),
  byEach(subscriptionAdded, ({ olga, self, freshName }) =>
    olga(subscribe, { subscriptions: [{ name: freshName }], principals: [self.id], invite_only: true }),
  ),
  byEach(subscriptionRemoved, leavePrivateChannel),
  byEach(subscriptionUpdated, async ({ olga, self, freshName, harness, begin }) => {
    await olga(subscribe, { subscriptions: [{ name: freshName }], principals: [self.id], invite_only: true });
    const stream_id = channelNamed(harness, freshName) as number;
    begin();
    await self.call(updateSubscription, { stream_id, property: "pin_to_top", value: true });
  }),
  byEach(userTopicChanged, regardTopic),
  byEach(mutedTopicsChanged, regardTopic),
  inChannels(peersAdded, "seers", ({ olga, channel, pat }) =>
    olga(subscribe, { subscriptions: [{ name: channel.name }], principals: [pat.id] }),
  ),
  inChannels(peersRemoved, "seers", async ({ olga, channel, pat, begin }) => {
    await olga(subscribe, { subscriptions: [{ name: channel.name }], principals: [pat.id] });
    begin();
    await olga(unsubscribe, { subscriptions: [channel.name], principals: [pat.id] });
  }),
  toAll(defaultChannelsChanged, "everyone but guests", ({ olga, freshName }) =>
    olga(subscribe, { subscriptions: [{ name: freshName }], is_default_stream: true }),
  ),
  toAll(defaultChannelGroupsChanged, "everyone but guests", ({ olga, freshName }) =>
    olga(createDefaultChannelGroup, { group_name: freshName, description: "For cooks", stream_names: [] }),
  ),
  toAll(folderAdded, "everyone", ({ olga, freshName }) => olga(createChannelFolder, { name: freshName })),
  toAll(folderUpdated, "everyone", async ({ olga, freshName, begin }) => {
    const { channel_folder_id } = await olga(createChannelFolder, { name: freshName });
    begin();
    await olga(updateChannelFolder, { channel_folder_id, description: "For *soup*" });
  }),

  toAll(foldersReordered, "everyone", async ({ olga, freshName, begin }) => {
    await olga(createChannelFolder, { name: freshName });
    const { channel_folders } = await olga(getChannelFolders, { include_archived: true });
    begin();
    const order = channel_folders.map(({ id }: { id: number }) => id).reverse();
    await olga(reorderChannelFolders, { order });
  }),
];

async function leavePrivateChannel({
  olga,
  self,
  freshName,
  begin,
}: Parameters<Parameters<typeof byEach>[1]>[0]) {
  await olga(subscribe, { subscriptions: [{ name: freshName }], principals: [self.id], invite_only: true });
  begin();
  await olga(unsubscribe, { subscriptions: [freshName], principals: [self.id] });
}

async function regardTopic({
  olga,
  self,
  freshName,
  harness,
  begin,
}: Parameters<Parameters<typeof byEach>[1]>[0]) {
  await olga(subscribe, { subscriptions: [{ name: freshName }], principals: [self.id], invite_only: true });
  const stream_id = channelNamed(harness, freshName) as number;
  begin();
  await self.call(setTopicVisibility, { stream_id, topic: "lunch", visibility_policy: 1 });
}
