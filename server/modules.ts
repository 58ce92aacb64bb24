/**
 * What each module contributes: the product's parts, as lists. A new module is registered here and nowhere
 * else.
 */

import type { TObject } from "typebox";
import { updateOrganization } from "../api/organization.ts";
import { organizationPermissionList } from "../api/organization-permissions.ts";
import { organizationSettingList } from "../api/organization-settings.ts";
import { roles } from "../api/roles.ts";
import { userSettingList } from "../api/user-settings.ts";
import { updateDisplaySettings, updateNotificationSettings, updateSettings } from "../api/users.ts";
import type { Config } from "./config.ts";
import { alertWords } from "./features/alert-words/alert-words.ts";
import { alertWordRoutes } from "./features/alert-words/handlers.ts";
import { alertWordSection } from "./features/alert-words/snapshot.ts";
import { allowedDomains } from "./features/allowed-emails/allowed-domains.ts";
import { auditLogRoutes } from "./features/audit-log/handlers.ts";
import { authRoutes } from "./features/auth/handlers.ts";
import { avatarRoutes } from "./features/avatars/handlers.ts";
import { deleteUnusedPicture } from "./features/avatars/pictures.ts";
import { avatarRedirects } from "./features/avatars/redirects.ts";
import { checkBotReturns } from "./features/bots/create-bot.ts";
import { defaultSendingChannelOf } from "./features/bots/default-channel.ts";
import { botChanges, botSerializer } from "./features/bots/events.ts";
import { botRoutes } from "./features/bots/handlers.ts";
import { queueDefaultsOf } from "./features/bots/queue-defaults.ts";
import { botSection } from "./features/bots/snapshot.ts";
import { accountsInPermissions } from "./features/channels/accounts-in-permissions.ts";
import { channels } from "./features/channels/channel.ts";
import { defaultGroupChanges, defaultGroups } from "./features/channels/defaults/default-groups.ts";
import { joinDefaultChannels } from "./features/channels/defaults/join-default-channels.ts";
import { defaultsOfRoles } from "./features/channels/defaults/role-changes.ts";
import { folderRoutes } from "./features/channels/folders/handlers.ts";
import { channelGroupUses } from "./features/channels/group-uses.ts";
import { channelRoutes } from "./features/channels/handlers.ts";
import { channelHistories } from "./features/channels/history/history.ts";
import { announceHistoryChanges, findHistoryChanges } from "./features/channels/history/history-changes.ts";
import { recentlyActive } from "./features/channels/history/recently-active.ts";
import { recipients } from "./features/channels/recipients/recipients.ts";
import { channelSection } from "./features/channels/snapshot.ts";
import { subscriptionSerializer } from "./features/channels/subscriptions/event-serializer.ts";
import { mutedChannels } from "./features/channels/subscriptions/muted-channels.ts";
import { subscriptionReplayFilter } from "./features/channels/subscriptions/replay-filter.ts";
import { subscribers } from "./features/channels/subscriptions/subscribers.ts";
import { channelUpdateRoutes } from "./features/channels/update/handlers.ts";
import { accountChanges } from "./features/channels/visibility/account-changes.ts";
import { visibilityAudiences } from "./features/channels/visibility/audiences.ts";
import { channelSerializer } from "./features/channels/visibility/event-serializer.ts";
import {
  announceNewFullMembers,
  findNewFullMembers,
} from "./features/channels/visibility/new-full-members.ts";
import { visibilityChanges } from "./features/channels/visibility/visibility-changes.ts";
import { forgetExpiredCodes } from "./features/confirmations/codes.ts";
import { ownLogin } from "./features/confirmations/own-login.ts";
import { mailPasswordReset } from "./features/confirmations/reset-password.ts";
import { mailSignUp } from "./features/confirmations/sign-up.ts";
import { domainRoutes } from "./features/domains/handlers.ts";
import { domainSection } from "./features/domains/snapshot.ts";
import { disabledDrafts } from "./features/drafts/disabled-drafts.ts";
import { draftRoutes } from "./features/drafts/handlers.ts";
import { movedDrafts } from "./features/drafts/moved-topic.ts";
import { draftSection } from "./features/drafts/snapshot.ts";
import { mailDigests, mailDigestsOf, mailDigestTo } from "./features/email-notifications/digest.ts";
import { forgetOldNews } from "./features/email-notifications/forget-old.ts";
import { mailMissedMessages, mailMissedMessagesTo } from "./features/email-notifications/mail-missed.ts";
import { mailWelcome, welcomeMails } from "./features/email-notifications/welcome.ts";
import { customEmoji } from "./features/emoji/custom-emoji.ts";
import { emojiRoutes } from "./features/emoji/handlers.ts";
import { emojiSection } from "./features/emoji/snapshot.ts";
import { cleanUpExport, cleanUpExports } from "./features/exports/clean-up.ts";
import { exportConsents } from "./features/exports/consents.ts";
import { exportSerializer } from "./features/exports/events.ts";
import { exportRoutes } from "./features/exports/handlers.ts";
import { makeExport } from "./features/exports/make.ts";
import { externalAddresses } from "./features/external-content/addresses.ts";
import { forgetExternalContent } from "./features/external-content/clean-up.ts";
import { flagRoutes } from "./features/flags/handlers.ts";
import { returnedStars } from "./features/flags/returned-stars.ts";
import { flagSection } from "./features/flags/snapshot.ts";
import { accountsInSettings } from "./features/groups/account-changes.ts";
import { deactivatedGroupClients } from "./features/groups/audiences.ts";
import { automaticMembers } from "./features/groups/automatic-members.ts";
import { groupSerializer } from "./features/groups/event-serializer.ts";
import { groups } from "./features/groups/group.ts";
import { groupHistory } from "./features/groups/group-history.ts";
import { groupRoutes } from "./features/groups/handlers.ts";
import { recordedMemberships } from "./features/groups/record-history.ts";
import { groupSection } from "./features/groups/snapshot.ts";
import { guestAccessChanges } from "./features/guest-access/announce.ts";
import { readerFilter } from "./features/guest-access/reader-filter.ts";
import { guestAccessRules } from "./features/guest-access/rules.ts";
import { endedInviters } from "./features/invitations/ended-inviters.ts";
import { forgetExpiredInvitations } from "./features/invitations/forget-expired.ts";
import { invitationRoutes } from "./features/invitations/handlers.ts";
import { remindOfInvitation, remindOfInvitations } from "./features/invitations/remind.ts";
import { linkifierSerializer } from "./features/linkifiers/event-serializer.ts";
import { linkifierRoutes } from "./features/linkifiers/handlers.ts";
import { linkifiers } from "./features/linkifiers/linkifier.ts";
import { linkifierSection } from "./features/linkifiers/snapshot.ts";
import { deletionSerializer } from "./features/messages/delete/events.ts";
import { messageSerializer } from "./features/messages/delivery/event-serializer.ts";
import {
  allPublicAudience,
  allPublicListeners,
  channelMessageAudience,
  channelReadersAudience,
  messageSource,
} from "./features/messages/delivery/message-log.ts";
import { messageReplayFilter } from "./features/messages/delivery/replay-filter.ts";
import { contactsOfNewGuests } from "./features/messages/direct-contacts.ts";
import { updateSerializer } from "./features/messages/edit/events.ts";
import { messageRoutes } from "./features/messages/handlers.ts";
import { showLinkPreviews } from "./features/messages/link-previews/show-previews.ts";
import { newestMessageId } from "./features/messages/query/fetch.ts";
import { eventNarrowOperators, withChannelIds } from "./features/messages/query/narrow/event-narrow.ts";
import { knownTopics } from "./features/messages/send/known-topics.ts";
import { messageSection } from "./features/messages/snapshot.ts";
import { readableUploads } from "./features/messages/uploads/readable-uploads.ts";
import { mutedUserRoutes } from "./features/muted-users/handlers.ts";
import { mutedUsers } from "./features/muted-users/muted-users.ts";
import { mutedUserSection } from "./features/muted-users/snapshot.ts";
import { navigationViewRoutes } from "./features/navigation-views/handlers.ts";
import { navigationViewSection } from "./features/navigation-views/snapshot.ts";
import { forgetSignInSteps } from "./features/oidc/steps.ts";
import { onboardingStepRoutes } from "./features/onboarding-steps/handlers.ts";
import { onboardingStepSection } from "./features/onboarding-steps/snapshot.ts";
import { organization } from "./features/organization/organization.ts";
import { organizationPictureRoutes } from "./features/organization-pictures/handlers.ts";
import { organizationPictureRedirects } from "./features/organization-pictures/redirects.ts";
import { settingsRoutes } from "./features/organization-settings/handlers.ts";
import { notYetBuiltSection } from "./features/organization-settings/not-yet-built-section.ts";
import { organizationSection, settingsSection } from "./features/organization-settings/snapshot.ts";
import { forgetExpiredChallenges } from "./features/passkeys/challenges.ts";
import { passkeyRoutes } from "./features/passkeys/handlers.ts";
import { playgroundRoutes } from "./features/playgrounds/handlers.ts";
import { playgrounds } from "./features/playgrounds/playgrounds.ts";
import { playgroundSection } from "./features/playgrounds/snapshot.ts";
import { submessageRoutes } from "./features/polls/handlers.ts";
import { presenceSerializer } from "./features/presence/events.ts";
import { presenceRoutes } from "./features/presence/handlers.ts";
import { presences } from "./features/presence/presences.ts";
import { presenceSection } from "./features/presence/snapshot.ts";
import { setProfileData } from "./features/profile-fields/change-values.ts";
import { profileFieldRoutes } from "./features/profile-fields/handlers.ts";
import { readProfileData } from "./features/profile-fields/profile-data.ts";
import { profileFields } from "./features/profile-fields/profile-fields.ts";
import { profileFieldSection } from "./features/profile-fields/snapshot.ts";
import { endedDeviceTokens } from "./features/push-devices/ended-sessions.ts";
import { pushDeviceRoutes } from "./features/push-devices/handlers.ts";
import { pushDeviceSection } from "./features/push-devices/snapshot.ts";
import { reactionRoutes } from "./features/reactions/handlers.ts";
import { flagSerializer } from "./features/read-ranges/event-serializer.ts";
import { readStateRoutes } from "./features/read-state/handlers.ts";
import { leftChannels } from "./features/read-state/left-channels.ts";
import { mutedSenders } from "./features/read-state/muted-senders.ts";
import { returnedChannels } from "./features/read-state/returned-channels.ts";
import { readStateSection } from "./features/read-state/snapshot.ts";
import { eventRoutes } from "./features/real-time/handlers.ts";
import { deliverReminder } from "./features/reminders/deliver.ts";
import { reminderRoutes } from "./features/reminders/handlers.ts";
import { reminderSection } from "./features/reminders/snapshot.ts";
import { reportRoutes } from "./features/reports/handlers.ts";
import { expireMessages, expireMessagesOf } from "./features/retention/expire.ts";
import { savedSnippetRoutes } from "./features/saved-snippets/handlers.ts";
import { savedSnippetSection } from "./features/saved-snippets/snapshot.ts";
import { deliverScheduledMessage } from "./features/scheduled-messages/deliver.ts";
import { scheduledMessageRoutes } from "./features/scheduled-messages/handlers.ts";
import { movedScheduledMessages } from "./features/scheduled-messages/moved-topic.ts";
import { scheduledMessageSection } from "./features/scheduled-messages/snapshot.ts";
import { checkSecondStep } from "./features/second-steps/check-code.ts";
import { secondStepRoutes } from "./features/second-steps/handlers.ts";
import { secondSteps } from "./features/second-steps/second-steps.ts";
import { endedSessions } from "./features/sessions/end.ts";
import { forgetExpiredSessions } from "./features/sessions/forget-expired.ts";
import { sessionRoutes } from "./features/sessions/handlers.ts";
import { forgetPendingSignIns } from "./features/sessions/pending.ts";
import { forgetOrganizationInvitations } from "./features/setup/invitations.ts";
import { channelMessages } from "./features/system-messages/channel-messages.ts";
import { groupMessages } from "./features/system-messages/group-messages.ts";
import { welcomeRoutes } from "./features/system-messages/handlers.ts";
import { joinMessages } from "./features/system-messages/join-messages.ts";
import { mutedTopicsSerializer, userTopicSerializer } from "./features/topic-policies/event-serializer.ts";
import { userTopics } from "./features/topic-policies/topic-policies.ts";
import { editTypingSerializer, typingSerializer } from "./features/typing/event-serializer.ts";
import { typingRoutes } from "./features/typing/handlers.ts";
import { cleanUpUploads, cleanUpUploadsOf } from "./features/uploads/clean-up.ts";
import { uploadFileRoutes } from "./features/uploads/file-routes.ts";
import { uploadRoutes } from "./features/uploads/handlers.ts";
import { statusesOfNewlyKnown, statusOfChangedAccounts } from "./features/user-status/changed-accounts.ts";
import { userStatusRoutes } from "./features/user-status/handlers.ts";
import { userStatusSection } from "./features/user-status/snapshot.ts";
import { userStatuses } from "./features/user-status/user-statuses.ts";
import { userTopicRoutes } from "./features/user-topics/handlers.ts";
import { userTopicSection } from "./features/user-topics/snapshot.ts";
import { seesEmailOf } from "./features/users/access.ts";
import { apiKeys } from "./features/users/api-keys.ts";
import { userDeactivationRoutes } from "./features/users/deactivate/handlers.ts";
import { emailChanges } from "./features/users/email-changes.ts";
import { legacySettingsSerializers, userSerializer } from "./features/users/event-serializer.ts";
import { guestContacts } from "./features/users/guest-contacts.ts";
import { userRoutes } from "./features/users/handlers.ts";
import { defaultPictureChanges } from "./features/users/picture-changes.ts";
import type { RegisterSection } from "./features/users/register-section.ts";
import { newSessions, sessions } from "./features/users/sessions.ts";
import { flatSettingSection, userSection } from "./features/users/snapshot.ts";
import { userUpdateRoutes } from "./features/users/update/handlers.ts";
import { users } from "./features/users/user.ts";
import { forgetDeliveries } from "./features/webhooks/incoming/forget-deliveries.ts";
import { incomingWebhookRoutes } from "./features/webhooks/incoming/handlers.ts";
import { incomingWebhookSection } from "./features/webhooks/incoming/snapshot.ts";
import { botCalls, callBot } from "./features/webhooks/outgoing/deliver.ts";
import { outgoingWebhookRoutes } from "./features/webhooks/outgoing/handlers.ts";
import type { Bus } from "./platform/bus/bus.ts";
import type { Keyring } from "./platform/crypto/keyring.ts";
import type { FileRoute } from "./platform/http/file-routes.ts";
import type { Route } from "./platform/http/handler.ts";
import { forgetFailedJobs } from "./platform/jobs/forget-failed.ts";
import type { Job } from "./platform/jobs/job.ts";
import type { EntryDispatcher } from "./platform/log/log-parts.ts";
import { type LogParts, logParts } from "./platform/log/log-parts.ts";
import type { OrganizationState } from "./platform/log/organization-state.ts";
import { keepPartitions } from "./platform/log/partitions.ts";
import { eventSource } from "./platform/log/read-log.ts";
import { deliverMail, forgetOldMails } from "./platform/mail/enqueue.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import { Dispatcher } from "./platform/queues/dispatcher.ts";
import { organizationQueues } from "./platform/queues/organization-queues.ts";
import { plainAudiences } from "./platform/queues/plain-audiences.ts";
import type { Services } from "./services.ts";

/** `siteOf`: the address under which people reach an organization. */
export function dispatcherOfModules(
  keyring: Keyring,
  siteOf: (state: OrganizationState) => string,
): Dispatcher {
  return new Dispatcher({
    audiences: [
      ...plainAudiences,
      deactivatedGroupClients,
      ...visibilityAudiences,
      channelMessageAudience,
      channelReadersAudience,
      allPublicAudience,
    ],
    serializers: [
      userSerializer,
      botSerializer(keyring),
      groupSerializer,
      ...legacySettingsSerializers,
      channelSerializer,
      subscriptionSerializer,
      messageSerializer,
      deletionSerializer,
      updateSerializer,
      flagSerializer,
      typingSerializer,
      editTypingSerializer,
      presenceSerializer,
      userTopicSerializer,
      mutedTopicsSerializer,
      linkifierSerializer,
      exportSerializer(keyring, siteOf),
    ],
    replayFilters: [messageReplayFilter, subscriptionReplayFilter],
    readerFilter,
  });
}

export function logPartsOfModules(
  bus: Bus,
  keyring: Keyring,
  dispatcher: EntryDispatcher,
  report: (error: unknown) => void,
): LogParts {
  return logParts({
    projections: [
      organizationQueues,
      organization,
      allowedDomains,
      users,
      guestContacts,
      guestAccessRules,
      apiKeys,
      sessions,
      newSessions,
      secondSteps,
      groups,
      groupHistory,
      channels,
      subscribers,
      mutedChannels,
      recentlyActive,
      defaultGroups,
      channelHistories,
      linkifiers,
      playgrounds,
      customEmoji,
      externalAddresses(keyring),
      recipients,
      allPublicListeners,
      alertWords,
      mutedUsers,
      userTopics,
      knownTopics,
      presences,
      userStatuses,
      botCalls,
      profileFields,
    ],
    sources: [eventSource, messageSource],
    beforeCommitHooks: [
      emailChanges,
      defaultPictureChanges,
      botChanges,
      automaticMembers,
      recordedMemberships,
      accountsInSettings,
      accountChanges,
      accountsInPermissions,
      visibilityChanges,
      defaultGroupChanges,
      defaultsOfRoles,
      returnedChannels,
      leftChannels,
      returnedStars,
      mutedSenders,
      disabledDrafts,
      movedDrafts,
      movedScheduledMessages,
      contactsOfNewGuests,
      statusOfChangedAccounts,
      endedDeviceTokens,
      endedSessions(keyring),
      exportConsents,
      endedInviters,
      groupMessages,
      channelMessages,
      joinMessages,
      welcomeMails,
    ],
    lastHooks: [guestAccessChanges(readProfileData), statusesOfNewlyKnown],
    dispatcher,
    bus,
    report,
  });
}

export function registerSectionsOfModules(config: Config, keyring: Keyring): readonly RegisterSection[] {
  return [
    organizationSection(config),
    settingsSection(organizationSettingList, organizationPermissionList),
    userSection(readProfileData),
    flatSettingSection,
    profileFieldSection,
    groupSection,
    channelSection,
    messageSection,
    readStateSection,
    flagSection,
    userTopicSection,
    alertWordSection,
    mutedUserSection,
    savedSnippetSection,
    navigationViewSection,
    draftSection,
    onboardingStepSection,
    pushDeviceSection,
    presenceSection,
    userStatusSection,
    scheduledMessageSection,
    reminderSection,
    linkifierSection,
    playgroundSection,
    domainSection,
    emojiSection,
    botSection(keyring),
    incomingWebhookSection,
    notYetBuiltSection,
  ];
}

export function routesOfModules(services: Services): Route[] {
  return [
    ...eventRoutes(services, {
      narrowOperators: eventNarrowOperators,
      withChannelIds,
      canHearAllPublic: (viewer) => viewer.user.role < roles.guest,
      defaultsOf: queueDefaultsOf,
    }),
    ...userRoutes(services, {
      settings: {
        endpoints: [updateSettings, updateDisplaySettings, updateNotificationSettings],
        list: userSettingList,
      },
      newestMessageId,
      joinDefaultChannels,
      readProfileData,
      prepareOwnLogin: ownLogin(services),
    }),
    ...userUpdateRoutes((tx, target, data) => setProfileData(tx, services.quotas, target, data)),
    ...userDeactivationRoutes(checkBotReturns),
    ...authRoutes(services, checkSecondStep),
    ...sessionRoutes(services),
    ...secondStepRoutes(services),
    ...passkeyRoutes(services),
    ...groupRoutes(services, [channelGroupUses]),
    ...channelRoutes(services),
    ...channelUpdateRoutes(services),
    ...folderRoutes,
    ...messageRoutes({ defaultChannelOf: defaultSendingChannelOf }),
    ...readStateRoutes,
    ...flagRoutes,
    ...reactionRoutes,
    ...submessageRoutes,
    ...userTopicRoutes(services),
    ...alertWordRoutes,
    ...mutedUserRoutes,
    ...savedSnippetRoutes(services),
    ...navigationViewRoutes(services),
    ...draftRoutes(services),
    ...onboardingStepRoutes,
    ...pushDeviceRoutes(services),
    ...presenceRoutes,
    ...userStatusRoutes(services),
    ...scheduledMessageRoutes(services),
    ...reminderRoutes(services),
    ...reportRoutes(services),
    ...typingRoutes,
    ...settingsRoutes(services, {
      endpoint: updateOrganization,
      settings: organizationSettingList,
      permissions: organizationPermissionList,
    }),
    ...profileFieldRoutes(services),
    ...linkifierRoutes,
    ...playgroundRoutes,
    ...emojiRoutes(services),
    ...domainRoutes,
    ...exportRoutes(services),
    ...invitationRoutes(services),
    ...auditLogRoutes(seesEmailOf),
    ...welcomeRoutes,
    ...botRoutes(services),
    ...incomingWebhookRoutes,
    ...outgoingWebhookRoutes,
    ...uploadRoutes(services, readableUploads),
    ...avatarRoutes(services),
    ...organizationPictureRoutes(services),
  ];
}

export function fileRoutesOfModules(services: Services): FileRoute[] {
  return uploadFileRoutes(services, readableUploads);
}

/** Addresses that are called like the API, and are no part of the contract. */
export const redirectsOfModules: readonly Route[] = [...avatarRedirects, ...organizationPictureRedirects];

const mailJobs: readonly Job<TObject, Services>[] = [
  deliverMail,
  mailPasswordReset,
  mailSignUp,
  mailMissedMessages,
  mailMissedMessagesTo,
  mailDigests,
  mailDigestsOf,
  mailDigestTo,
  mailWelcome,
  remindOfInvitations,
  remindOfInvitation,
];

/** `canSend`: a process without mail settings leaves what is to be mailed to others, or to its next start. */
export function jobsOfModules({ canSend }: Pick<Mailer, "canSend">): readonly Job<TObject, Services>[] {
  return [
    forgetFailedJobs,
    keepPartitions,
    findNewFullMembers,
    announceNewFullMembers,
    findHistoryChanges,
    announceHistoryChanges,
    expireMessages,
    expireMessagesOf,
    deliverScheduledMessage,
    deliverReminder,
    makeExport,
    cleanUpExports,
    cleanUpExport,
    callBot,
    showLinkPreviews,
    forgetExternalContent,
    forgetDeliveries,
    forgetExpiredInvitations,
    forgetOrganizationInvitations,
    forgetExpiredSessions,
    forgetPendingSignIns,
    forgetExpiredChallenges,
    forgetExpiredCodes,
    forgetSignInSteps,
    ...(canSend ? mailJobs : []),
    forgetOldMails,
    forgetOldNews,
    cleanUpUploads,
    cleanUpUploadsOf,
    deleteUnusedPicture,
  ];
}
