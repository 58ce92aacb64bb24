import {
  createInvitationLink,
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "./accounts/invitations.ts";
import {
  addPasskey,
  getPasskeys,
  removePasskey,
  startPasskeyRegistration,
  startPasskeySession,
  startPasskeySignIn,
  updatePasskey,
} from "./accounts/passkeys.ts";
import { getIdentities, removeIdentity } from "./accounts/providers.ts";
import {
  confirmTotp,
  getSecondSteps,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
} from "./accounts/second-steps.ts";
import { endSession, endSessionById, getSessions, startSession } from "./accounts/sessions.ts";
import {
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  fetchApiKeyByToken,
  regenerateApiKey,
} from "./accounts/sign-in.ts";
import { getAuditLog } from "./administration/audit-log.ts";
import { updateDefaultUserSettings } from "./administration/default-user-settings.ts";
import { addDomain, getDomains, removeDomain, updateDomain } from "./administration/domains.ts";
import {
  createExport,
  deleteExport,
  getExportConsents,
  getExportLink,
  getExports,
} from "./administration/exports.ts";
import { getServerSettings, updateOrganization } from "./administration/organization.ts";
import {
  createOwnDataCopy,
  deleteOwnDataCopy,
  getOwnDataCopy,
  getOwnDataLink,
} from "./administration/own-data.ts";
import { getStatistics, getStorageStatistics } from "./administration/statistics.ts";
import { addAlertWords, getAlertWords, removeAlertWords } from "./attention/alert-words.ts";
import { muteUser, unmuteUser } from "./attention/muted-users.ts";
import { setTopicVisibility, updateMutedTopic } from "./attention/user-topics.ts";
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from "./channels/channel-folders.ts";
import {
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getChannels,
  getChannelTopics,
} from "./channels/channels.ts";
import {
  addDefaultChannel,
  createDefaultChannelGroup,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "./channels/default-channels.ts";
import { createChannel } from "./channels/new-channel.ts";
import {
  changeSubscriptions,
  getChannelSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscription,
  updateSubscriptionProperties,
} from "./channels/subscriptions.ts";
import { archiveChannel, updateChannel } from "./channels/update-channel.ts";
import { removeOwnAvatar, uploadOwnAvatar } from "./content/avatars.ts";
import { addCustomEmoji, deactivateCustomEmoji, getCustomEmoji } from "./content/emoji.ts";
import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "./content/linkifiers.ts";
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from "./content/organization-pictures.ts";
import { addPlayground, removePlayground } from "./content/playgrounds.ts";
import { deleteAttachment, getAttachments, getTemporaryFileUrl, uploadFile } from "./content/uploads.ts";
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
import {
  getUserGroupMembers,
  getUserGroupMembership,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from "./groups/group-members.ts";
import {
  createUserGroup,
  deactivateUserGroup,
  deleteUserGroup,
  getUserGroups,
  updateUserGroup,
} from "./groups/groups.ts";
import {
  createBot,
  deactivateBot,
  getBotApiKey,
  getBotStorage,
  getBots,
  regenerateBotApiKey,
  removeBotStorage,
  updateBot,
  updateBotStorage,
} from "./integrations/bots.ts";
import { callIncomingWebhook } from "./integrations/incoming-webhooks.ts";
import {
  getOutgoingWebhookExample,
  getZulipOutgoingWebhookExample,
} from "./integrations/outgoing-webhooks.ts";
import { deleteQueue, getEvents, registerQueue } from "./integrations/real-time.ts";
import { deleteMessage, deleteTopic } from "./messages/delete-messages.ts";
import { editMessage, getMessageHistory } from "./messages/edit-message.ts";
import { updateMessageFlags, updateMessageFlagsForNarrow } from "./messages/flags.ts";
import {
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  renderMessage,
  sendMessage,
} from "./messages/messages.ts";
import { addSubmessage } from "./messages/polls.ts";
import { addReaction, removeReaction } from "./messages/reactions.ts";
import { getReadReceipts, markAllAsRead, markChannelAsRead, markTopicAsRead } from "./messages/read-state.ts";
import { reportMessage } from "./messages/reports.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "./messages/typing.ts";
import { sendTestWelcomeMessage } from "./notifications/welcome-message.ts";
import { deactivateOwnUser, deactivateUser, reactivateUser } from "./people/deactivate-users.ts";
import { eraseUser } from "./people/erase-user.ts";
import { updateUser, updateUserByEmail } from "./people/update-users.ts";
import {
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
} from "./people/users.ts";
import { createDrafts, deleteDraft, editDraft, getDrafts } from "./personal/drafts.ts";
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from "./personal/navigation-views.ts";
import { markOnboardingStepAsSeen } from "./personal/onboarding-steps.ts";
import {
  addApnsToken,
  addFcmToken,
  registerPushDevice,
  removeApnsToken,
  removeFcmToken,
  sendEncryptedTestNotification,
  sendTestNotification,
} from "./personal/push-devices.ts";
import { createReminder, deleteReminder, getReminders } from "./personal/reminders.ts";
import {
  createSavedSnippet,
  deleteSavedSnippet,
  getSavedSnippets,
  updateSavedSnippet,
} from "./personal/saved-snippets.ts";
import {
  deleteScheduledMessage,
  getScheduledMessages,
  scheduleMessage,
  updateScheduledMessage,
} from "./personal/scheduled-messages.ts";
import { getPresence, getUserPresence, reportPresence } from "./profiles/presence.ts";
import {
  createProfileField,
  deleteProfileField,
  getProfileFields,
  removeProfileData,
  reorderProfileFields,
  updateProfileData,
  updateProfileField,
} from "./profiles/profile-fields.ts";
import { getUserStatus, updateOwnStatus, updateUserStatus } from "./profiles/user-status.ts";
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
  eraseUser,

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
  getExportLink,
  deleteExport,
  getExportConsents,

  getOwnDataCopy,
  createOwnDataCopy,
  getOwnDataLink,
  deleteOwnDataCopy,

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

  getStatistics,
  getStorageStatistics,

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
  getBotApiKey,
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

  getIdentities,
  removeIdentity,
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
