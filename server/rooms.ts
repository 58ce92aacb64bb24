/** What each room brings: the product's parts, as lists. A new room adds its lines here and nowhere else. */
import { updateOrganization } from "../api/organization.ts";
import { organizationPermissionList } from "../api/organization-permissions.ts";
import { organizationSettingList } from "../api/organization-settings.ts";
import { userSettingList } from "../api/user-settings.ts";
import { updateSettings } from "../api/users.ts";
import { accountChanges } from "./channels/account-changes.ts";
import { channels } from "./channels/channel.ts";
import { subscriptionWriter } from "./channels/delivery.ts";
import { channelRoutes } from "./channels/handlers.ts";
import { recentlyActive } from "./channels/recently-active.ts";
import { channelSnapshot } from "./channels/snapshot.ts";
import { subscribers, subscribersAudience } from "./channels/subscribers.ts";
import { visibilityAudiences } from "./channels/visibility.ts";
import type { Config } from "./config.ts";
import { plainAudiences } from "./events/deliver.ts";
import { eventRoutes } from "./events/handlers.ts";
import { eventSource } from "./events/log.ts";
import type { SnapshotSlice } from "./events/register.ts";
import { type LogParts, logParts } from "./events/slice.ts";
import { flagWriter } from "./flags/delivery.ts";
import { flagRoutes } from "./flags/handlers.ts";
import { flagSnapshot } from "./flags/snapshot.ts";
import { automaticMembers } from "./groups/automatic-members.ts";
import { groups } from "./groups/group.ts";
import { groupRoutes } from "./groups/handlers.ts";
import { groupSnapshot } from "./groups/snapshot.ts";
import type { Route } from "./http/handler.ts";
import { messageWriter } from "./messages/delivery.ts";
import { eventNarrowOperators } from "./messages/event-narrow.ts";
import { messageRoutes } from "./messages/handlers.ts";
import {
  channelMessageAudience,
  channelReceiversAudience,
  messageSource,
  overhearing,
} from "./messages/log.ts";
import { newestMessageId } from "./messages/newest.ts";
import { recipients } from "./messages/recipients.ts";
import { messageSnapshot } from "./messages/snapshot.ts";
import { onboardingRoutes } from "./onboarding/handlers.ts";
import { organization } from "./organization/organization.ts";
import { reactionRoutes } from "./reactions/handlers.ts";
import type { Services } from "./services.ts";
import { emptySections } from "./settings/empty-sections.ts";
import { settingsRoutes } from "./settings/handlers.ts";
import { settingsSnapshot } from "./settings/snapshot.ts";
import { typingWriter } from "./typing/delivery.ts";
import { typingRoutes } from "./typing/handlers.ts";
import { apiKeys } from "./users/api-keys.ts";
import { legacySettingsWriters, userWriter } from "./users/delivery.ts";
import { userRoutes } from "./users/handlers.ts";
import { userSnapshot } from "./users/snapshot.ts";
import { roles, users } from "./users/user.ts";

export function logPartsOfRooms(report: (error: unknown) => void): LogParts {
  return logParts({
    slices: [
      organization,
      users,
      apiKeys,
      groups,
      channels,
      subscribers,
      recentlyActive,
      recipients,
      overhearing,
    ],
    audiences: [
      ...plainAudiences,
      subscribersAudience,
      ...visibilityAudiences,
      channelMessageAudience,
      channelReceiversAudience,
    ],
    writers: [
      userWriter,
      ...legacySettingsWriters,
      subscriptionWriter,
      messageWriter,
      flagWriter,
      typingWriter,
    ],
    sources: [eventSource, messageSource],
    consequences: [automaticMembers, accountChanges],
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
    ...groupRoutes(services),
    ...channelRoutes(services),
    ...messageRoutes(services),
    ...flagRoutes(services),
    ...reactionRoutes(services),
    ...typingRoutes(services),
    ...onboardingRoutes(services),
    ...settingsRoutes(services, {
      endpoint: updateOrganization,
      settings: organizationSettingList,
      permissions: organizationPermissionList,
    }),
  ];
}
