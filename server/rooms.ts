/** What each room brings: the product's parts, as lists. A new room adds its lines here and nowhere else. */
import { updateOrganization } from "../api/organization.ts";
import { organizationPermissionList } from "../api/organization-permissions.ts";
import { organizationSettingList } from "../api/organization-settings.ts";
import { userSettingList } from "../api/user-settings.ts";
import { updateSettings } from "../api/users.ts";
import { alertWords } from "./alert-words/alert-words.ts";
import { alertWordRoutes } from "./alert-words/handlers.ts";
import { alertWordSnapshot } from "./alert-words/snapshot.ts";
import type { Bus } from "./bus/bus.ts";
import { accountsInPermissions } from "./channels/accounts-in-permissions.ts";
import { channels } from "./channels/channel.ts";
import { defaultGroupChanges, defaultGroups } from "./channels/defaults/default-groups.ts";
import { folderRoutes } from "./channels/folders/handlers.ts";
import { channelGroupUses } from "./channels/group-uses.ts";
import { channelRoutes } from "./channels/handlers.ts";
import { channelHistories } from "./channels/history/history.ts";
import { findHistoryChanges, tellHistoryChanges } from "./channels/history/history-changes.ts";
import { recentlyActive } from "./channels/history/recently-active.ts";
import { accountChanges } from "./channels/sight/account-changes.ts";
import { channelWriter } from "./channels/sight/delivery.ts";
import { findNewFullMembers, tellNewFullMembers } from "./channels/sight/new-full-members.ts";
import { sightChanges } from "./channels/sight/sight-changes.ts";
import { visibilityAudiences } from "./channels/sight/visibility.ts";
import { channelSnapshot } from "./channels/snapshot.ts";
import { subscriptionWriter } from "./channels/subscriptions/delivery.ts";
import { mutedChannels } from "./channels/subscriptions/muted-channels.ts";
import { subscribers } from "./channels/subscriptions/subscribers.ts";
import { channelUpdateRoutes } from "./channels/update/handlers.ts";
import type { Config } from "./config.ts";
import { customEmoji } from "./emoji/custom-emoji.ts";
import { emojiSnapshot } from "./emoji/snapshot.ts";
import { plainAudiences } from "./events/deliver.ts";
import { eventRoutes } from "./events/handlers.ts";
import { eventSource } from "./events/log.ts";
import { keepPartitions } from "./events/partitions.ts";
import type { SnapshotSlice } from "./events/register.ts";
import { type LogParts, logParts } from "./events/slice.ts";
import { flagWriter } from "./flags/delivery.ts";
import { flagRoutes } from "./flags/handlers.ts";
import { leftChannels } from "./flags/left-channels.ts";
import { mutedSenders } from "./flags/muted-senders.ts";
import { returnedChannels } from "./flags/returned-channels.ts";
import { flagSnapshot } from "./flags/snapshot.ts";
import { accountsInSettings } from "./groups/account-changes.ts";
import { automaticMembers } from "./groups/automatic-members.ts";
import { groupWriter } from "./groups/delivery.ts";
import { groups } from "./groups/group.ts";
import { groupRoutes } from "./groups/handlers.ts";
import { groupSnapshot } from "./groups/snapshot.ts";
import type { Route } from "./http/handler.ts";
import { forgetFailedJobs } from "./jobs/forget-failed.ts";
import type { Job } from "./jobs/job.ts";
import { linkifiers } from "./linkifiers/linkifier.ts";
import { linkifierSnapshot } from "./linkifiers/snapshot.ts";
import { deletionWriter, updateWriter } from "./messages/change/delivery.ts";
import { messageWriter } from "./messages/delivery.ts";
import { messageRoutes } from "./messages/handlers.ts";
import {
  channelMessageAudience,
  channelReadersAudience,
  messageSource,
  onlookersAudience,
  overhearing,
} from "./messages/log.ts";
import { eventNarrowOperators } from "./messages/narrow/event-narrow.ts";
import { newestMessageId } from "./messages/read/newest.ts";
import { messageRecall } from "./messages/recall.ts";
import { recipients } from "./messages/recipients.ts";
import { begunTopics } from "./messages/send/begun-topics.ts";
import { messageSnapshot } from "./messages/snapshot.ts";
import { topicLookup } from "./messages/topics.ts";
import { mutedUserRoutes } from "./muted-users/handlers.ts";
import { mutedUsers } from "./muted-users/muted-users.ts";
import { mutedUserSnapshot } from "./muted-users/snapshot.ts";
import { channelNotices } from "./notices/channel-notices.ts";
import { groupNotices } from "./notices/group-notices.ts";
import { onboardingRoutes } from "./onboarding/handlers.ts";
import { organization } from "./organization/organization.ts";
import { reactionRoutes } from "./reactions/handlers.ts";
import { reportRoutes } from "./reports/handlers.ts";
import { expireMessages, expireMessagesOf } from "./retention/expire.ts";
import type { Services } from "./services.ts";
import { emptySections } from "./settings/empty-sections.ts";
import { settingsRoutes } from "./settings/handlers.ts";
import { settingsSnapshot } from "./settings/snapshot.ts";
import { submessageRoutes } from "./submessages/handlers.ts";
import { mutedTopicsWriter, userTopicWriter } from "./topic-policies/delivery.ts";
import { topicPolicyRoutes } from "./topic-policies/handlers.ts";
import { policiesInMemory } from "./topic-policies/policies-in-memory.ts";
import { topicPolicySnapshot } from "./topic-policies/snapshot.ts";
import { editTypingWriter, typingWriter } from "./typing/delivery.ts";
import { typingRoutes } from "./typing/handlers.ts";
import { apiKeys } from "./users/api-keys.ts";
import { legacySettingsWriters, userWriter } from "./users/delivery.ts";
import { userRoutes } from "./users/handlers.ts";
import { userSnapshot } from "./users/snapshot.ts";
import { roles, users } from "./users/user.ts";

export function logPartsOfRooms(bus: Bus, report: (error: unknown) => void): LogParts {
  return logParts({
    slices: [
      organization,
      users,
      apiKeys,
      groups,
      channels,
      subscribers,
      mutedChannels,
      recentlyActive,
      defaultGroups,
      channelHistories,
      linkifiers,
      customEmoji,
      recipients,
      overhearing,
      alertWords,
      mutedUsers,
      policiesInMemory,
      begunTopics,
    ],
    audiences: [
      ...plainAudiences,
      ...visibilityAudiences,
      channelMessageAudience,
      channelReadersAudience,
      onlookersAudience,
    ],
    writers: [
      userWriter,
      groupWriter,
      ...legacySettingsWriters,
      channelWriter,
      subscriptionWriter,
      messageWriter,
      deletionWriter,
      updateWriter,
      flagWriter,
      typingWriter,
      editTypingWriter,
      userTopicWriter,
      mutedTopicsWriter,
    ],
    recalls: [messageRecall],
    sources: [eventSource, messageSource],
    consequences: [
      automaticMembers,
      accountsInSettings,
      accountChanges,
      accountsInPermissions,
      sightChanges,
      defaultGroupChanges,
      returnedChannels,
      leftChannels,
      mutedSenders,
    ],
    bus,
    report,
  });
}

export function snapshotSlicesOfRooms(config: Config): readonly SnapshotSlice[] {
  return [
    settingsSnapshot(config, organizationSettingList, organizationPermissionList),
    userSnapshot,
    groupSnapshot,
    channelSnapshot,
    messageSnapshot,
    flagSnapshot,
    topicPolicySnapshot,
    alertWordSnapshot,
    mutedUserSnapshot,
    linkifierSnapshot,
    emojiSnapshot,
    emptySections,
  ];
}

export function routesOfRooms(services: Services): Route[] {
  return [
    ...eventRoutes(services, {
      narrowOperators: eventNarrowOperators,
      mayHearAllPublic: (viewer) => viewer.user.role < roles.guest,
    }),
    ...userRoutes(services, {
      settings: { endpoint: updateSettings, list: userSettingList },
      newestMessageId,
    }),
    ...groupRoutes(services, { uses: [channelGroupUses], notices: groupNotices }),
    ...channelRoutes(services, { notices: channelNotices }),
    ...channelUpdateRoutes(services, { notices: channelNotices }),
    ...folderRoutes,
    ...messageRoutes(services),
    ...flagRoutes(services),
    ...reactionRoutes(services),
    ...submessageRoutes(services),
    ...topicPolicyRoutes(services, topicLookup),
    ...alertWordRoutes(services),
    ...mutedUserRoutes(services),
    ...reportRoutes(services),
    ...typingRoutes(services),
    ...onboardingRoutes(services),
    ...settingsRoutes(services, {
      endpoint: updateOrganization,
      settings: organizationSettingList,
      permissions: organizationPermissionList,
    }),
  ];
}

export function jobsOfRooms(): readonly Job[] {
  return [
    forgetFailedJobs,
    keepPartitions,
    findNewFullMembers,
    tellNewFullMembers,
    findHistoryChanges,
    tellHistoryChanges,
    expireMessages,
    expireMessagesOf,
  ];
}
