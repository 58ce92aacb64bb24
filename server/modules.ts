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
import { endedInviters } from "./accounts/invitations/ended-inviters.ts";
import { forgetExpiredInvitations } from "./accounts/invitations/forget-expired.ts";
import { invitationRoutes } from "./accounts/invitations/handlers.ts";
import { remindOfInvitation, remindOfInvitations } from "./accounts/invitations/remind.ts";
import { forgetExpiredCodes } from "./accounts/mailed-links/codes.ts";
import { ownLogin } from "./accounts/mailed-links/own-login.ts";
import { mailPasswordReset } from "./accounts/mailed-links/reset-password.ts";
import { mailSignUp } from "./accounts/mailed-links/sign-up.ts";
import { forgetExpiredChallenges } from "./accounts/passkeys/challenges.ts";
import { passkeyRoutes } from "./accounts/passkeys/handlers.ts";
import { forgetSignInSteps } from "./accounts/providers/steps.ts";
import { checkSecondStep } from "./accounts/second-steps/check-code.ts";
import { secondStepRoutes } from "./accounts/second-steps/handlers.ts";
import { secondSteps } from "./accounts/second-steps/second-steps.ts";
import { endedSessions } from "./accounts/sessions/end.ts";
import { forgetExpiredSessions } from "./accounts/sessions/forget-expired.ts";
import { sessionRoutes } from "./accounts/sessions/handlers.ts";
import { newSessions, sessions } from "./accounts/sessions/live-sessions.ts";
import { forgetPendingSignIns } from "./accounts/sessions/pending.ts";
import { authRoutes } from "./accounts/sign-in/handlers.ts";
import { domainRoutes } from "./administration/domains/handlers.ts";
import { domainSection } from "./administration/domains/snapshot.ts";
import { cleanUpExport, cleanUpExports } from "./administration/exports/clean-up.ts";
import { exportConsents } from "./administration/exports/consents.ts";
import { exportSerializer } from "./administration/exports/events.ts";
import { exportRoutes } from "./administration/exports/handlers.ts";
import { makeExport } from "./administration/exports/make.ts";
import { settingsRoutes } from "./administration/settings/handlers.ts";
import { notYetBuiltSection } from "./administration/settings/not-yet-built-section.ts";
import { organizationSection, settingsSection } from "./administration/settings/snapshot.ts";
import { alertWords } from "./attention/alert-words/alert-words.ts";
import { alertWordRoutes } from "./attention/alert-words/handlers.ts";
import { alertWordSection } from "./attention/alert-words/snapshot.ts";
import { mutedUserRoutes } from "./attention/muted-users/handlers.ts";
import { mutedUsers } from "./attention/muted-users/muted-users.ts";
import { mutedUserSection } from "./attention/muted-users/snapshot.ts";
import { mutedTopicsSerializer, userTopicSerializer } from "./attention/user-topics/event-serializer.ts";
import { userTopicRoutes } from "./attention/user-topics/handlers.ts";
import { userTopicSection } from "./attention/user-topics/snapshot.ts";
import { userTopics } from "./attention/user-topics/topic-policies.ts";
import { accountsInPermissions } from "./channels/accounts-in-permissions.ts";
import { channels } from "./channels/channel.ts";
import { defaultGroupChanges, defaultGroups } from "./channels/defaults/default-groups.ts";
import { joinDefaultChannels } from "./channels/defaults/join-default-channels.ts";
import { defaultsOfRoles } from "./channels/defaults/role-changes.ts";
import { folderRoutes } from "./channels/folders/handlers.ts";
import { channelGroupUses } from "./channels/group-uses.ts";
import { guestAccessChanges } from "./channels/guest-access/announce.ts";
import { readerFilter } from "./channels/guest-access/reader-filter.ts";
import { guestAccessRules } from "./channels/guest-access/rules.ts";
import { channelRoutes } from "./channels/handlers.ts";
import { channelHistories } from "./channels/history/history.ts";
import { announceHistoryChanges, findHistoryChanges } from "./channels/history/history-changes.ts";
import { recentlyActive } from "./channels/history/recently-active.ts";
import { recipients } from "./channels/recipients/recipients.ts";
import { channelSection } from "./channels/snapshot.ts";
import { subscriptionSerializer } from "./channels/subscriptions/event-serializer.ts";
import { mutedChannels } from "./channels/subscriptions/muted-channels.ts";
import { subscriptionReplayFilter } from "./channels/subscriptions/replay-filter.ts";
import { subscribers } from "./channels/subscriptions/subscribers.ts";
import { channelUpdateRoutes } from "./channels/update/handlers.ts";
import { accountChanges } from "./channels/visibility/account-changes.ts";
import { visibilityAudiences } from "./channels/visibility/audiences.ts";
import { channelSerializer } from "./channels/visibility/event-serializer.ts";
import { announceNewFullMembers, findNewFullMembers } from "./channels/visibility/new-full-members.ts";
import { visibilityChanges } from "./channels/visibility/visibility-changes.ts";
import type { Config } from "./config.ts";
import { avatarRoutes } from "./content/avatars/handlers.ts";
import { deleteUnusedPicture } from "./content/avatars/pictures.ts";
import { avatarRedirects } from "./content/avatars/redirects.ts";
import { customEmoji } from "./content/emoji/custom-emoji.ts";
import { emojiRoutes } from "./content/emoji/handlers.ts";
import { emojiSection } from "./content/emoji/snapshot.ts";
import { externalAddresses } from "./content/external-content/addresses.ts";
import { forgetExternalContent } from "./content/external-content/clean-up.ts";
import { linkifierSerializer } from "./content/linkifiers/event-serializer.ts";
import { linkifierRoutes } from "./content/linkifiers/handlers.ts";
import { linkifiers } from "./content/linkifiers/linkifier.ts";
import { linkifierSection } from "./content/linkifiers/snapshot.ts";
import { organizationPictureRoutes } from "./content/organization-pictures/handlers.ts";
import { organizationPictureRedirects } from "./content/organization-pictures/redirects.ts";
import { playgroundRoutes } from "./content/playgrounds/handlers.ts";
import { playgrounds } from "./content/playgrounds/playgrounds.ts";
import { playgroundSection } from "./content/playgrounds/snapshot.ts";
import { cleanUpUploads, cleanUpUploadsOf } from "./content/uploads/clean-up.ts";
import { uploadFileRoutes } from "./content/uploads/file-routes.ts";
import { uploadRoutes } from "./content/uploads/handlers.ts";
import { accountsInSettings } from "./groups/account-changes.ts";
import { deactivatedGroupClients } from "./groups/audiences.ts";
import { automaticMembers } from "./groups/automatic-members.ts";
import { groupSerializer } from "./groups/event-serializer.ts";
import { groups } from "./groups/group.ts";
import { groupHistory } from "./groups/group-history.ts";
import { groupRoutes } from "./groups/handlers.ts";
import { recordedMemberships } from "./groups/record-history.ts";
import { groupSection } from "./groups/snapshot.ts";
import { checkBotReturns } from "./integrations/bots/create-bot.ts";
import { defaultSendingChannelOf } from "./integrations/bots/default-channel.ts";
import { botChanges, botSerializer } from "./integrations/bots/events.ts";
import { botRoutes } from "./integrations/bots/handlers.ts";
import { queueDefaultsOf } from "./integrations/bots/queue-defaults.ts";
import { botSection } from "./integrations/bots/snapshot.ts";
import { eventRoutes } from "./integrations/real-time/handlers.ts";
import { forgetDeliveries } from "./integrations/webhooks/incoming/forget-deliveries.ts";
import { incomingWebhookRoutes } from "./integrations/webhooks/incoming/handlers.ts";
import { incomingWebhookSection } from "./integrations/webhooks/incoming/snapshot.ts";
import { botCalls, callBot } from "./integrations/webhooks/outgoing/deliver.ts";
import { outgoingWebhookRoutes } from "./integrations/webhooks/outgoing/handlers.ts";
import { deletionSerializer } from "./messages/delete/events.ts";
import { messageSerializer } from "./messages/delivery/event-serializer.ts";
import {
  allPublicAudience,
  allPublicListeners,
  channelMessageAudience,
  channelReadersAudience,
  messageSource,
} from "./messages/delivery/message-log.ts";
import { messageReplayFilter } from "./messages/delivery/replay-filter.ts";
import { contactsOfNewGuests } from "./messages/direct-contacts.ts";
import { updateSerializer } from "./messages/edit/events.ts";
import { flagRoutes } from "./messages/flags/handlers.ts";
import { returnedStars } from "./messages/flags/returned-stars.ts";
import { flagSection } from "./messages/flags/snapshot.ts";
import { messageRoutes } from "./messages/handlers.ts";
import { showLinkPreviews } from "./messages/link-previews/show-previews.ts";
import { submessageRoutes } from "./messages/polls/handlers.ts";
import { newestMessageId } from "./messages/query/fetch.ts";
import { eventNarrowOperators, withChannelIds } from "./messages/query/narrow/event-narrow.ts";
import { reactionRoutes } from "./messages/reactions/handlers.ts";
import { flagSerializer } from "./messages/read-state/event-serializer.ts";
import { readStateRoutes } from "./messages/read-state/handlers.ts";
import { leftChannels } from "./messages/read-state/left-channels.ts";
import { mutedSenders } from "./messages/read-state/muted-senders.ts";
import { returnedChannels } from "./messages/read-state/returned-channels.ts";
import { readStateSection } from "./messages/read-state/snapshot.ts";
import { reportRoutes } from "./messages/reports/handlers.ts";
import { expireMessages, expireMessagesOf } from "./messages/retention/expire.ts";
import { knownTopics } from "./messages/send/known-topics.ts";
import { messageSection } from "./messages/snapshot.ts";
import { editTypingSerializer, typingSerializer } from "./messages/typing/event-serializer.ts";
import { typingRoutes } from "./messages/typing/handlers.ts";
import { readableUploads } from "./messages/uploads/readable-uploads.ts";
import { mailDigests, mailDigestsOf, mailDigestTo } from "./notifications/email/digest.ts";
import { forgetOldNews } from "./notifications/email/forget-old.ts";
import { mailMissedMessages, mailMissedMessagesTo } from "./notifications/email/mail-missed.ts";
import { mailWelcome, welcomeMails } from "./notifications/email/welcome.ts";
import { channelMessages } from "./notifications/system-messages/channel-messages.ts";
import { groupMessages } from "./notifications/system-messages/group-messages.ts";
import { welcomeRoutes } from "./notifications/system-messages/handlers.ts";
import { joinMessages } from "./notifications/system-messages/join-messages.ts";
import { allowedDomains } from "./organization/allowed-emails/allowed-domains.ts";
import { auditLogRoutes } from "./organization/audit-log/handlers.ts";
import { organization } from "./organization/organization.ts";
import { seesEmailOf } from "./people/access.ts";
import { apiKeys } from "./people/api-keys.ts";
import { userDeactivationRoutes } from "./people/deactivate/handlers.ts";
import { emailChanges } from "./people/email-changes.ts";
import { legacySettingsSerializers, userSerializer } from "./people/event-serializer.ts";
import { guestContacts } from "./people/guest-contacts.ts";
import { userRoutes } from "./people/handlers.ts";
import { defaultPictureChanges } from "./people/picture-changes.ts";
import type { RegisterSection } from "./people/register-section.ts";
import { flatSettingSection, userSection } from "./people/snapshot.ts";
import { userUpdateRoutes } from "./people/update/handlers.ts";
import { users } from "./people/user.ts";
import { disabledDrafts } from "./personal/drafts/disabled-drafts.ts";
import { draftRoutes } from "./personal/drafts/handlers.ts";
import { movedDrafts } from "./personal/drafts/moved-topic.ts";
import { draftSection } from "./personal/drafts/snapshot.ts";
import { navigationViewRoutes } from "./personal/navigation-views/handlers.ts";
import { navigationViewSection } from "./personal/navigation-views/snapshot.ts";
import { onboardingStepRoutes } from "./personal/onboarding-steps/handlers.ts";
import { onboardingStepSection } from "./personal/onboarding-steps/snapshot.ts";
import { endedDeviceTokens } from "./personal/push-devices/ended-sessions.ts";
import { pushDeviceRoutes } from "./personal/push-devices/handlers.ts";
import { pushDeviceSection } from "./personal/push-devices/snapshot.ts";
import { deliverReminder } from "./personal/reminders/deliver.ts";
import { reminderRoutes } from "./personal/reminders/handlers.ts";
import { reminderSection } from "./personal/reminders/snapshot.ts";
import { savedSnippetRoutes } from "./personal/saved-snippets/handlers.ts";
import { savedSnippetSection } from "./personal/saved-snippets/snapshot.ts";
import { deliverScheduledMessage } from "./personal/scheduled-messages/deliver.ts";
import { scheduledMessageRoutes } from "./personal/scheduled-messages/handlers.ts";
import { movedScheduledMessages } from "./personal/scheduled-messages/moved-topic.ts";
import { scheduledMessageSection } from "./personal/scheduled-messages/snapshot.ts";
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
import { presenceSerializer } from "./profiles/presence/events.ts";
import { presenceRoutes } from "./profiles/presence/handlers.ts";
import { presences } from "./profiles/presence/presences.ts";
import { presenceSection } from "./profiles/presence/snapshot.ts";
import { setProfileData } from "./profiles/profile-fields/change-values.ts";
import { profileFieldRoutes } from "./profiles/profile-fields/handlers.ts";
import { readProfileData } from "./profiles/profile-fields/profile-data.ts";
import { profileFields } from "./profiles/profile-fields/profile-fields.ts";
import { profileFieldSection } from "./profiles/profile-fields/snapshot.ts";
import { statusesOfNewlyKnown, statusOfChangedAccounts } from "./profiles/user-status/changed-accounts.ts";
import { userStatusRoutes } from "./profiles/user-status/handlers.ts";
import { userStatusSection } from "./profiles/user-status/snapshot.ts";
import { userStatuses } from "./profiles/user-status/user-statuses.ts";
import type { Services } from "./services.ts";
import { forgetOrganizationInvitations } from "./website/setup/invitations.ts";

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
