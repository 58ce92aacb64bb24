import { addAlertWords, getAlertWords, removeAlertWords } from "./alert-words.ts";
import { getAuditLog } from "./audit-log.ts";
import { devFetchApiKey, devListUsers, fetchApiKey, fetchApiKeyByToken, regenerateApiKey } from "./auth.ts";
import { removeOwnAvatar, uploadOwnAvatar } from "./avatars.ts";
import {
  createBot,
  deactivateBot,
  getBotStorage,
  getBots,
  regenerateBotApiKey,
  removeBotStorage,
  updateBot,
  updateBotStorage,
} from "./bots.ts";
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from "./channel-folders.ts";
import {
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getChannels,
  getChannelTopics,
} from "./channels.ts";
import { deactivateOwnUser, deactivateUser, reactivateUser } from "./deactivate-users.ts";
import {
  addDefaultChannel,
  createDefaultChannelGroup,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "./default-channels.ts";
import { updateDefaultUserSettings } from "./default-user-settings.ts";
import { deleteMessage, deleteTopic } from "./delete-messages.ts";
import { addDomain, getDomains, removeDomain, updateDomain } from "./domains.ts";
import { createDrafts, deleteDraft, editDraft, getDrafts } from "./drafts.ts";
import { editMessage, getMessageHistory } from "./edit-message.ts";
import { addCustomEmoji, deactivateCustomEmoji, getCustomEmoji } from "./emoji.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventDeclaration } from "./event.ts";
import { alertWordsChanged } from "./events/alert-words.ts";
import { botAdded, botRemoved, botUpdated } from "./events/bots.ts";
import { folderAdded, foldersReordered, folderUpdated } from "./events/channel-folders.ts";
import { channelCreated, channelDeleted, channelUpdated } from "./events/channels.ts";
import { defaultChannelGroupsChanged, defaultChannelsChanged } from "./events/default-channels.ts";
import { domainAdded, domainChanged, domainRemoved } from "./events/domains.ts";
import { draftRemoved, draftsAdded, draftUpdated } from "./events/drafts.ts";
import { customEmojiChanged } from "./events/emoji.ts";
import { exportConsentChanged, exportsChanged } from "./events/exports.ts";
import { flagAdded, flagRemoved } from "./events/flags.ts";
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from "./events/groups.ts";
import { invitationsChanged } from "./events/invitations.ts";
import { linkifiersChanged } from "./events/linkifiers.ts";
import { messageDeleted, messageSent, messagesDeleted, messageUpdated } from "./events/messages.ts";
import { mutedUsersChanged } from "./events/muted-users.ts";
import { viewAdded, viewRemoved, viewUpdated } from "./events/navigation-views.ts";
import { onboardingStepsChanged } from "./events/onboarding-steps.ts";
import {
  defaultUserSettingChanged,
  organizationDeactivated,
  organizationUpdated,
  organizationUpdatedTogether,
} from "./events/organization.ts";
import { playgroundsChanged } from "./events/playgrounds.ts";
import { submessageAdded } from "./events/polls.ts";
import { legacyPresenceChanged, presenceChanged } from "./events/presence.ts";
import { profileFieldsChanged } from "./events/profile-fields.ts";
import { pushDeviceChanged } from "./events/push-devices.ts";
import { reactionAdded, reactionRemoved } from "./events/reactions.ts";
import { heartbeat } from "./events/real-time.ts";
import { reminderRemoved, remindersAdded } from "./events/reminders.ts";
import { snippetAdded, snippetRemoved, snippetUpdated } from "./events/saved-snippets.ts";
import {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from "./events/scheduled-messages.ts";

import {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
} from "./events/subscriptions.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "./events/typing.ts";
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from "./events/uploads.ts";
import { userStatusChanged } from "./events/user-status.ts";
import { mutedTopicsChanged, userTopicChanged } from "./events/user-topics.ts";
import {
  botOwnerChanged,
  displaySettingChanged,
  notificationSettingChanged,
  userActivated,
  userAdded,
  userAvatarChanged,
  userDeliveryEmailChanged,
  userEmailChanged,
  userProfileFieldChanged,
  userRemoved,
  userRenamed,
  userRoleChanged,
  userSettingChanged,
  userTimezoneChanged,
} from "./events/users.ts";
import { createExport, deleteExport, getExportConsents, getExports } from "./exports.ts";
import { updateMessageFlags, updateMessageFlagsForNarrow } from "./flags.ts";
import {
  getUserGroupMembers,
  getUserGroupMembership,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from "./group-members.ts";
import {
  createUserGroup,
  deactivateUserGroup,
  deleteUserGroup,
  getUserGroups,
  updateUserGroup,
} from "./groups.ts";
import { callIncomingWebhook } from "./incoming-webhooks.ts";
import {
  createInvitationLink,
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "./invitations.ts";
import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "./linkifiers.ts";
import { checkMessagesMatchNarrow, getMessage, getMessages, renderMessage, sendMessage } from "./messages.ts";
import { muteUser, unmuteUser } from "./muted-users.ts";
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from "./navigation-views.ts";
import { createChannel } from "./new-channel.ts";
import { markOnboardingStepAsSeen } from "./onboarding-steps.ts";
import { getServerSettings, updateOrganization } from "./organization.ts";
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from "./organization-pictures.ts";
import { getOutgoingWebhookExample, getZulipOutgoingWebhookExample } from "./outgoing-webhooks.ts";
import {
  addPasskey,
  getPasskeys,
  removePasskey,
  startPasskeyRegistration,
  startPasskeySession,
  startPasskeySignIn,
  updatePasskey,
} from "./passkeys.ts";
import { addPlayground, removePlayground } from "./playgrounds.ts";
import { addSubmessage } from "./polls.ts";
import { getPresence, getUserPresence, reportPresence } from "./presence.ts";
import {
  createProfileField,
  deleteProfileField,
  getProfileFields,
  removeProfileData,
  reorderProfileFields,
  updateProfileData,
  updateProfileField,
} from "./profile-fields.ts";
import {
  addApnsToken,
  addFcmToken,
  registerPushDevice,
  removeApnsToken,
  removeFcmToken,
  sendEncryptedTestNotification,
  sendTestNotification,
} from "./push-devices.ts";
import { addReaction, removeReaction } from "./reactions.ts";
import { getReadReceipts, markAllAsRead, markChannelAsRead, markTopicAsRead } from "./read-state.ts";
import { deleteQueue, getEvents, registerQueue } from "./real-time.ts";
import { registerAlertWords } from "./register/alert-words.ts";
import { registerBots } from "./register/bots.ts";
import { registerChannels } from "./register/channels.ts";
import { registerDomains } from "./register/domains.ts";
import { registerDrafts } from "./register/drafts.ts";
import { registerEmoji } from "./register/emoji.ts";
import { registerFlags } from "./register/flags.ts";
import { registerGroups } from "./register/groups.ts";
import { registerIncomingWebhooks } from "./register/incoming-webhooks.ts";
import { registerLinkifiers } from "./register/linkifiers.ts";
import { registerMessages } from "./register/messages.ts";
import { registerMutedUsers } from "./register/muted-users.ts";
import { registerNavigationViews } from "./register/navigation-views.ts";
import { registerNotYetBuilt } from "./register/not-yet-built.ts";
import { registerOnboardingSteps } from "./register/onboarding-steps.ts";
import { registerOrganization, registerOrganizationSettings } from "./register/organization.ts";
import { registerPlaygrounds } from "./register/playgrounds.ts";
import { registerPresence } from "./register/presence.ts";
import { registerProfileFields } from "./register/profile-fields.ts";
import { registerPushDevices } from "./register/push-devices.ts";
import { registerReadState } from "./register/read-state.ts";
import { registerReminders } from "./register/reminders.ts";
import { registerSavedSnippets } from "./register/saved-snippets.ts";
import { registerScheduledMessages } from "./register/scheduled-messages.ts";
import { registerUserStatus } from "./register/user-status.ts";
import { registerUserTopics } from "./register/user-topics.ts";
import { registerFlatSettings, registerUsers } from "./register/users.ts";
import type { RegisterSectionDeclaration } from "./register-section.ts";
import { createReminder, deleteReminder, getReminders } from "./reminders.ts";
import { reportMessage } from "./reports.ts";
import {
  createSavedSnippet,
  deleteSavedSnippet,
  getSavedSnippets,
  updateSavedSnippet,
} from "./saved-snippets.ts";
import {
  deleteScheduledMessage,
  getScheduledMessages,
  scheduleMessage,
  updateScheduledMessage,
} from "./scheduled-messages.ts";
import { confirmTotp, getSecondSteps, removeTotp, renewRecoveryCodes, startTotp } from "./second-steps.ts";
import { endSession, endSessionById, getSessions, startSession } from "./sessions.ts";
import {
  changeSubscriptions,
  getChannelSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscription,
  updateSubscriptionProperties,
} from "./subscriptions.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "./typing.ts";
import { archiveChannel, updateChannel } from "./update-channel.ts";
import { updateUser, updateUserByEmail } from "./update-users.ts";
import { deleteAttachment, getAttachments, getTemporaryFileUrl, uploadFile } from "./uploads.ts";
import { getUserStatus, updateOwnStatus, updateUserStatus } from "./user-status.ts";
import { setTopicVisibility, updateMutedTopic } from "./user-topics.ts";
import {
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
} from "./users.ts";
import { sendTestWelcomeMessage } from "./welcome-message.ts";

/** Every endpoint, in the order of the reference; a blank line separates the subjects. */
export const endpoints: readonly Endpoint[] = [
  registerQueue,
  getEvents,
  deleteQueue,

  sendMessage,
  getMessages,
  getMessage,
  editMessage,
  getMessageHistory,
  renderMessage,
  checkMessagesMatchNarrow,
  deleteMessage,
  deleteTopic,

  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,

  updateMessageFlags,
  updateMessageFlagsForNarrow,

  addReaction,
  removeReaction,

  addSubmessage,

  setTypingStatus,
  setMessageEditTypingStatus,

  reportMessage,

  getScheduledMessages,
  scheduleMessage,
  updateScheduledMessage,
  deleteScheduledMessage,

  createReminder,
  getReminders,
  deleteReminder,

  getChannels,
  getChannel,
  getChannelId,
  getChannelTopics,
  getChannelEmailAddress,
  createChannel,
  updateChannel,
  archiveChannel,

  getSubscriptions,
  subscribe,
  unsubscribe,
  changeSubscriptions,
  updateSubscriptionProperties,
  updateSubscription,
  getSubscriptionStatus,
  getChannelSubscribers,

  addDefaultChannel,
  removeDefaultChannel,
  createDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
  removeDefaultChannelGroup,

  getChannelFolders,
  reorderChannelFolders,
  createChannelFolder,
  updateChannelFolder,

  setTopicVisibility,
  updateMutedTopic,

  getUsers,
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  updateUser,
  updateUserByEmail,
  deactivateUser,
  deactivateOwnUser,
  reactivateUser,

  muteUser,
  unmuteUser,

  reportPresence,
  getUserPresence,
  getPresence,

  updateOwnStatus,
  getUserStatus,
  updateUserStatus,

  getAlertWords,
  addAlertWords,
  removeAlertWords,

  getSavedSnippets,
  createSavedSnippet,
  updateSavedSnippet,
  deleteSavedSnippet,

  getNavigationViews,
  addNavigationView,
  updateNavigationView,
  removeNavigationView,

  getDrafts,
  createDrafts,
  editDraft,
  deleteDraft,

  markOnboardingStepAsSeen,

  updateSettings,
  updateDisplaySettings,
  updateNotificationSettings,

  getUserGroups,
  createUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  getUserGroupMembers,
  getUserGroupMembership,
  updateUserGroupSubgroups,
  getUserGroupSubgroups,
  deactivateUserGroup,
  deleteUserGroup,

  getServerSettings,
  updateOrganization,
  updateDefaultUserSettings,
  sendTestWelcomeMessage,

  getProfileFields,
  createProfileField,
  reorderProfileFields,
  updateProfileField,
  deleteProfileField,
  updateProfileData,
  removeProfileData,

  getLinkifiers,
  reorderLinkifiers,
  addLinkifier,
  updateLinkifier,
  removeLinkifier,

  addPlayground,
  removePlayground,

  getCustomEmoji,
  addCustomEmoji,
  deactivateCustomEmoji,

  getDomains,
  addDomain,
  updateDomain,
  removeDomain,

  getExports,
  createExport,
  deleteExport,
  getExportConsents,

  getInvitations,
  sendInvitations,
  createInvitationLink,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,

  fetchApiKey,
  fetchApiKeyByToken,
  devFetchApiKey,
  devListUsers,
  regenerateApiKey,
  startSession,
  endSession,
  getSessions,
  endSessionById,

  getAuditLog,

  addApnsToken,
  removeApnsToken,
  addFcmToken,
  removeFcmToken,
  sendTestNotification,
  sendEncryptedTestNotification,
  registerPushDevice,

  getBots,
  createBot,
  updateBot,
  deactivateBot,
  regenerateBotApiKey,
  getBotStorage,
  updateBotStorage,
  removeBotStorage,

  callIncomingWebhook,

  getOutgoingWebhookExample,
  getZulipOutgoingWebhookExample,

  uploadFile,
  getTemporaryFileUrl,
  getAttachments,
  deleteAttachment,

  uploadOwnAvatar,
  removeOwnAvatar,

  uploadIcon,
  removeIcon,
  uploadLogo,
  removeLogo,

  getSecondSteps,
  startTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,

  getPasskeys,
  startPasskeyRegistration,
  addPasskey,
  updatePasskey,
  removePasskey,
  startPasskeySignIn,
  startPasskeySession,
];

/** Every event, in the order of the reference. */
export const events: readonly EventDeclaration[] = [
  messageSent,
  messageUpdated,
  messagesDeleted,
  messageDeleted,

  flagAdded,
  flagRemoved,

  reactionAdded,
  reactionRemoved,

  submessageAdded,

  directTypingStarted,
  directTypingStopped,
  channelTypingStarted,
  channelTypingStopped,
  messageEditingStarted,
  messageEditingStopped,

  scheduledMessagesAdded,
  scheduledMessageUpdated,
  scheduledMessageRemoved,

  remindersAdded,
  reminderRemoved,

  channelCreated,
  channelDeleted,
  channelUpdated,

  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
  peersAdded,
  peersRemoved,

  defaultChannelsChanged,
  defaultChannelGroupsChanged,

  folderAdded,
  folderUpdated,
  foldersReordered,

  userTopicChanged,
  mutedTopicsChanged,

  userAdded,
  userRemoved,
  userActivated,
  userRoleChanged,
  botOwnerChanged,
  userRenamed,
  userEmailChanged,
  userDeliveryEmailChanged,
  userAvatarChanged,
  userTimezoneChanged,
  userProfileFieldChanged,

  botAdded,
  botUpdated,
  botRemoved,

  mutedUsersChanged,

  presenceChanged,
  legacyPresenceChanged,

  userStatusChanged,

  alertWordsChanged,

  snippetAdded,
  snippetUpdated,
  snippetRemoved,

  viewAdded,
  viewUpdated,
  viewRemoved,

  draftsAdded,
  draftUpdated,
  draftRemoved,

  onboardingStepsChanged,

  pushDeviceChanged,

  groupAdded,
  groupUpdated,
  groupMembersAdded,
  groupMembersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
  groupRemoved,

  userSettingChanged,
  displaySettingChanged,
  notificationSettingChanged,

  organizationUpdated,
  organizationUpdatedTogether,
  defaultUserSettingChanged,
  organizationDeactivated,

  profileFieldsChanged,

  linkifiersChanged,

  playgroundsChanged,
  customEmojiChanged,

  domainAdded,
  domainChanged,
  domainRemoved,

  exportsChanged,
  exportConsentChanged,

  invitationsChanged,

  attachmentAdded,
  attachmentUpdated,
  attachmentRemoved,

  heartbeat,
];

/** The parts of the initial state that `POST /register` answers, in the order of the reference. */
export const registerSections: readonly RegisterSectionDeclaration[] = [
  registerOrganization,
  registerOrganizationSettings,
  registerUsers,
  registerFlatSettings,
  registerProfileFields,
  registerGroups,
  registerChannels,
  registerMessages,
  registerReadState,
  registerFlags,
  registerUserTopics,
  registerAlertWords,
  registerMutedUsers,
  registerSavedSnippets,
  registerNavigationViews,
  registerDrafts,
  registerOnboardingSteps,
  registerPushDevices,
  registerPresence,
  registerUserStatus,
  registerScheduledMessages,
  registerReminders,
  registerLinkifiers,
  registerPlaygrounds,
  registerDomains,
  registerEmoji,
  registerBots,
  registerIncomingWebhooks,
  registerNotYetBuilt,
];
