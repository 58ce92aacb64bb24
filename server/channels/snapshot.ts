import { registerChannels } from "../../api/register/channels.ts";
import { roles } from "../../api/roles.ts";
import { type Snapshot, sectionOf } from "../people/viewer/register-section.ts";
import { defaultChannelIds } from "./defaults/default-channel-ids.ts";
import { presentDefaultGroupsNow } from "./defaults/default-groups.ts";
import { presentFolder } from "./folders/present.ts";
import { allFolders } from "./folders/store.ts";
import { formerChannels, ownPreferences } from "./store.ts";
import { type ChannelRecords, readChannelRecords } from "./subscriptions/records.ts";

/** The sections on channels, subscriptions and folders (spec E20). */
export const channelSection = sectionOf(
  registerChannels,
  async (snapshot) => {
    const { state, viewer, own, wants } = snapshot;
    const isGuest = !viewer || viewer.user.role >= roles.guest;
    const defaults = isGuest ? [] : defaultChannelIds(state);
    const defaultSets = isGuest ? [] : presentDefaultGroupsNow(state);
    const [records, folders] = await Promise.all([
      wants("stream") || wants("subscription") ? readRecords(snapshot) : undefined,
      wants("channel_folders") ? own(allFolders) : undefined,
    ]);
    return {
      ...(records && wants("stream") && { streams: records.all() }),
      ...(records && wants("subscription") && subscriptionSections(records)),
      ...(wants("default_streams") && { realm_default_streams: defaults }),
      ...(wants("default_stream_groups") && { realm_default_stream_groups: defaultSets }),
      ...(folders && { channel_folders: folders.map(presentFolder) }),
    };
  },
  allFolders,
  formerChannels,
  ownPreferences,
);

function readRecords({ state, tx, viewer, options, own }: Snapshot): Promise<ChannelRecords> {
  return readChannelRecords(
    state,
    tx,
    viewer?.user,
    {
      subscribers: options.includeSubscribers,
      hasArchived: options.capabilities.archived_channels === true,
      canInherit: options.capabilities.notification_settings_null === true,
    },
    own,
  );
}

function subscriptionSections(records: ChannelRecords) {
  return {
    subscriptions: records.subscribed(),
    unsubscribed: records.unsubscribed(),
    never_subscribed: records.neverSubscribed(),
  };
}
