/**
 * Which calls leave an entry in the audit log. Every call that changes something is in one of the two lists,
 * so a new endpoint can't be forgotten. The matrix makes the calls and compares.
 */
import type { AuditAction } from "../../api/administration/audit-log.ts";

/** The action of a call that changes something, by the call's name in `samples`. */
export const auditedCalls: Readonly<Record<string, AuditAction>> = {
  deleteTopic: "topic_deleted",
  "deleteMessage (somebody else's)": "message_deleted",

  createChannel: "channel_created",
  updateChannel: "channel_updated",
  "updateChannel (making it public)": "channel_updated",
  "updateChannel (making it private)": "channel_updated",
  "updateChannel (sharing its history)": "channel_updated",
  "updateChannel (naming who may post)": "channel_updated",
  "updateChannel (naming who may subscribe)": "channel_updated",
  "updateChannel (how long messages are kept)": "channel_updated",
  "updateChannel (making it a default channel)": "channel_updated",
  "updateChannel (which topics it has)": "channel_updated",
  "updateChannel (putting it in a folder)": "channel_updated",
  archiveChannel: "channel_archived",

  "subscribe (somebody else)": "subscribers_added",
  "subscribe (to a new private channel)": "channel_created",
  "subscribe (to a new web-public channel)": "channel_created",
  "unsubscribe (somebody else)": "subscribers_removed",

  addDefaultChannel: "channel_updated",
  removeDefaultChannel: "channel_updated",
  createDefaultChannelGroup: "default_channel_group_created",
  updateDefaultChannelGroup: "default_channel_group_updated",
  updateDefaultChannelGroupChannels: "default_channel_group_updated",
  removeDefaultChannelGroup: "default_channel_group_removed",

  createChannelFolder: "channel_folder_created",
  updateChannelFolder: "channel_folder_updated",
  reorderChannelFolders: "channel_folders_reordered",

  createUser: "user_created",
  updateUser: "user_renamed",
  updateUserByEmail: "user_renamed",
  deactivateUser: "user_deactivated",
  eraseUser: "user_erased",
  deactivateOwnUser: "user_deactivated",
  reactivateUser: "user_reactivated",
  updateUserStatus: "user_status_changed",

  createUserGroup: "group_created",
  updateUserGroup: "group_updated",
  updateUserGroupMembers: "group_members_changed",
  updateUserGroupSubgroups: "group_members_changed",
  deactivateUserGroup: "group_deactivated",
  deleteUserGroup: "group_deleted",

  createProfileField: "profile_field_created",
  updateProfileField: "profile_field_updated",
  deleteProfileField: "profile_field_deleted",
  reorderProfileFields: "profile_fields_reordered",

  addLinkifier: "linkifier_created",
  updateLinkifier: "linkifier_updated",
  removeLinkifier: "linkifier_removed",
  reorderLinkifiers: "linkifiers_reordered",

  addPlayground: "playground_created",
  removePlayground: "playground_removed",

  addCustomEmoji: "custom_emoji_added",
  deactivateCustomEmoji: "custom_emoji_deactivated",

  addDomain: "domain_added",
  updateDomain: "domain_updated",
  removeDomain: "domain_removed",

  createExport: "export_created",
  deleteExport: "export_deleted",

  createOwnDataCopy: "own_data_requested",

  createBot: "user_created",
  updateBot: "user_renamed",
  deactivateBot: "user_deactivated",
  getBotApiKey: "api_key_shown",
  regenerateBotApiKey: "api_key_regenerated",
  regenerateApiKey: "own_api_key_replaced",

  sendInvitations: "invitations_sent",
  createInvitationLink: "invitation_link_created",
  resendInvitation: "invitation_resent",
  revokeInvitation: "invitation_revoked",
  revokeInvitationLink: "invitation_revoked",

  updateDefaultUserSettings: "default_user_settings_updated",
  uploadIcon: "organization_picture_changed",
  removeIcon: "organization_picture_changed",
  uploadLogo: "organization_picture_changed",
  removeLogo: "organization_picture_changed",
  updateOrganization: "organization_updated",
  "updateOrganization (what only owners may)": "organization_updated",
};

/** Audited calls that change nothing, and leave an entry for what they have shown. */
export const auditedReads: ReadonlySet<string> = new Set(["createOwnDataCopy", "getBotApiKey"]);

/** Audited calls whose sample changes nothing here, each with the reason. Another test covers each. */
export const idleSamples: Readonly<Record<string, string>> = {
  reorderChannelFolders: "there is one folder, and one has no other order",
  reorderProfileFields: "there is one field",
  reorderLinkifiers: "there is one linkifier",
  "subscribe (somebody else)": "they are subscribed to the channel already",
  removeDefaultChannel: "the channel is no default channel",
  reactivateUser: "the account is active",
  updateOrganization: "the setting has this value already",
  removeIcon: "there is no icon to remove",
  removeLogo: "there is no logo to remove",
};

/** What an unaudited call does besides, in the situation named. */
export const sideActions: Readonly<Record<string, { action: AuditAction; when: string }>> = {
  subscribe: { action: "channel_created", when: "nobody in the caller's organization has such a channel" },
};

const proven =
  "the callers have a second step, and the sample does not show it; with it it leaves an entry, which the tests of its module show";
const own = "it changes the caller's own things alone";
const sending = "the message says who sent it";
export const looking = "it changes nothing that others see";

/** Calls that leave no entry, with the reason. */
export const unauditedCalls: Readonly<Record<string, string>> = {
  registerQueue: own,
  "registerQueue (for all public channels)": own,
  deleteQueue: own,

  sendMessage: sending,
  "sendMessage (to a person)": sending,
  editMessage: "the message's history says who edited it",
  "editMessage (somebody else's text)": "nobody may edit another's text",
  "editMessage (moving somebody else's to another topic)": "the message's history says who moved it",
  "editMessage (resolving the topic)": "the message's history says who moved it",
  renderMessage: looking,
  // What is downloaded by the link leaves an entry.
  getExportLink: looking,
  getOwnDataLink: looking,
  deleteOwnDataCopy: own,
  callIncomingWebhook: sending,
  getOutgoingWebhookExample: looking,
  getZulipOutgoingWebhookExample: looking,
  deleteMessage: "its sender deletes it",
  addReaction: own,
  removeReaction: own,
  addSubmessage: sending,
  setTypingStatus: looking,
  "setTypingStatus (in a channel)": looking,
  setMessageEditTypingStatus: looking,
  reportMessage: "a report is a message in the moderators' channel",
  scheduleMessage: own,
  updateScheduledMessage: own,
  deleteScheduledMessage: own,
  createReminder: own,
  deleteReminder: own,

  markAllAsRead: own,
  markChannelAsRead: own,
  markTopicAsRead: own,
  updateMessageFlags: own,
  "updateMessageFlags (marking as read)": own,
  "updateMessageFlags (marking as unread)": own,
  updateMessageFlagsForNarrow: own,

  subscribe: own,
  unsubscribe: own,
  changeSubscriptions: own,
  updateSubscriptionProperties: own,
  updateSubscription: own,
  setTopicVisibility: own,
  updateMutedTopic: own,

  muteUser: own,
  unmuteUser: own,
  reportPresence: own,
  updateOwnStatus: own,
  addAlertWords: own,
  removeAlertWords: own,
  uploadFile: own,
  deleteAttachment: own,
  createSavedSnippet: own,
  updateSavedSnippet: own,
  deleteSavedSnippet: own,
  addNavigationView: own,
  updateNavigationView: own,
  removeNavigationView: own,
  createDrafts: own,
  editDraft: own,
  deleteDraft: own,
  markOnboardingStepAsSeen: own,
  updateSettings: own,
  updateDisplaySettings: own,
  updateNotificationSettings: own,
  startSession: own,
  endSession: own,
  endSessionById: own,
  startTotp: own,
  confirmTotp: proven,
  removeTotp: proven,
  renewRecoveryCodes: proven,
  startPasskeyRegistration: own,
  addPasskey: proven,
  updatePasskey: own,
  removePasskey: proven,
  removeIdentity: proven,
  startPasskeySignIn: own,
  startPasskeySession: own,
  updateBotStorage: own,
  removeBotStorage: own,
  addApnsToken: own,
  removeApnsToken: own,
  addFcmToken: own,
  removeFcmToken: own,
  registerPushDevice: own,
  sendTestNotification: looking,
  sendEncryptedTestNotification: looking,
  sendTestWelcomeMessage: looking,
  uploadOwnAvatar: own,
  removeOwnAvatar: own,
  updateProfileData: own,
  removeProfileData: own,

  fetchApiKey: own,
  fetchApiKeyByToken: own,
  devFetchApiKey: own,
};
