import type { ModuleParts } from "../module-parts.ts";
import type { ReadProfileData } from "../people/profile-data.ts";
import { accountsInPermissions } from "./accounts-in-permissions.ts";
import { channels } from "./channel.ts";
import { defaultGroupChanges, defaultGroups } from "./defaults/default-groups.ts";
import { defaultsOfRoles } from "./defaults/role-changes.ts";
import { channelExports } from "./exports.ts";
import { folderRoutes } from "./folders/handlers.ts";
import { guestAccessChanges } from "./guest-access/announce.ts";
import { readerFilter } from "./guest-access/reader-filter.ts";
import { groupMembersReplayFilter } from "./guest-access/replay-filter.ts";
import { guestAccessRules } from "./guest-access/rules.ts";
import { channelRoutes } from "./handlers.ts";
import { channelHistories } from "./history/history.ts";
import { announceHistoryChanges, findHistoryChanges } from "./history/history-changes.ts";
import { recentlyActive } from "./history/recently-active.ts";
import { recipients } from "./recipients/recipients.ts";
import { channelSection } from "./snapshot.ts";
import { subscriptionSerializer } from "./subscriptions/event-serializer.ts";
import { mutedChannels } from "./subscriptions/muted-channels.ts";
import { subscriptionReplayFilter } from "./subscriptions/replay-filter.ts";
import { subscribers } from "./subscriptions/subscribers.ts";
import { channelUpdateRoutes } from "./update/handlers.ts";
import { accountChanges } from "./visibility/account-changes.ts";
import { visibilityAudiences } from "./visibility/audiences.ts";
import { channelSerializer } from "./visibility/event-serializer.ts";
import { announceNewFullMembers, findNewFullMembers } from "./visibility/new-full-members.ts";
import { visibilityChanges } from "./visibility/visibility-changes.ts";

/** What the channels need of later modules. */
interface Later {
  readProfileData: ReadProfileData;
}

export const channelsModule = (later: Later): ModuleParts => ({
  exports: channelExports,
  projections: () => [
    guestAccessRules,
    channels,
    subscribers,
    mutedChannels,
    recentlyActive,
    defaultGroups,
    channelHistories,
    recipients,
  ],
  beforeCommitHooks: () => [
    accountChanges,
    accountsInPermissions,
    visibilityChanges,
    defaultGroupChanges,
    defaultsOfRoles,
  ],
  lastHooks: [guestAccessChanges(later.readProfileData)],
  queues: () => ({
    audiences: [...visibilityAudiences],
    serializers: [channelSerializer, subscriptionSerializer],
    replayFilters: [subscriptionReplayFilter, groupMembersReplayFilter],
    readerFilter,
  }),
  registerSections: () => [channelSection],
  routes: (services) => [...channelRoutes(services), ...channelUpdateRoutes(services), ...folderRoutes],
  jobs: [findNewFullMembers, announceNewFullMembers, findHistoryChanges, announceHistoryChanges],
});
