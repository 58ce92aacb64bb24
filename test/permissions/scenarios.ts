/**
 * The cause of each declared event. A new event needs an entry here: its recipients (see scenario.ts), and
 * the call that causes it; `begin()` separates what the call needs beforehand.
 */
import { addAlertWords } from "../../api/alert-words.ts";
import { createBot, updateBot } from "../../api/bots.ts";
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from "../../api/channel-folders.ts";
import { createDefaultChannelGroup } from "../../api/default-channels.ts";
import { updateDefaultUserSettings } from "../../api/default-user-settings.ts";
import { deleteMessage } from "../../api/delete-messages.ts";
import { addDomain, removeDomain, updateDomain } from "../../api/domains.ts";
import { createDrafts, deleteDraft, editDraft } from "../../api/drafts.ts";
import { editMessage } from "../../api/edit-message.ts";
import { addCustomEmoji } from "../../api/emoji.ts";
import type { EventDeclaration } from "../../api/event.ts";
import { alertWordsChanged } from "../../api/events/alert-words.ts";
import { botAdded, botRemoved, botUpdated } from "../../api/events/bots.ts";
import { folderAdded, foldersReordered, folderUpdated } from "../../api/events/channel-folders.ts";
import { channelCreated, channelDeleted, channelUpdated } from "../../api/events/channels.ts";
import { defaultChannelGroupsChanged, defaultChannelsChanged } from "../../api/events/default-channels.ts";
import { domainAdded, domainChanged, domainRemoved } from "../../api/events/domains.ts";
import { draftRemoved, draftsAdded, draftUpdated } from "../../api/events/drafts.ts";
import { customEmojiChanged } from "../../api/events/emoji.ts";
import { exportConsentChanged, exportsChanged } from "../../api/events/exports.ts";
import { flagAdded, flagRemoved } from "../../api/events/flags.ts";
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from "../../api/events/groups.ts";
import { invitationsChanged } from "../../api/events/invitations.ts";
import { linkifiersChanged } from "../../api/events/linkifiers.ts";
import { messageDeleted, messageSent, messagesDeleted, messageUpdated } from "../../api/events/messages.ts";
import { mutedUsersChanged } from "../../api/events/muted-users.ts";
import { viewAdded, viewRemoved, viewUpdated } from "../../api/events/navigation-views.ts";
import { onboardingStepsChanged } from "../../api/events/onboarding-steps.ts";
import {
  defaultUserSettingChanged,
  organizationDeactivated,
  organizationUpdated,
  organizationUpdatedTogether,
} from "../../api/events/organization.ts";
import { playgroundsChanged } from "../../api/events/playgrounds.ts";
import { submessageAdded } from "../../api/events/polls.ts";
import { legacyPresenceChanged, presenceChanged } from "../../api/events/presence.ts";
import { profileFieldsChanged } from "../../api/events/profile-fields.ts";
import { pushDeviceChanged } from "../../api/events/push-devices.ts";
import { reactionAdded, reactionRemoved } from "../../api/events/reactions.ts";
import { heartbeat } from "../../api/events/real-time.ts";
import { reminderRemoved, remindersAdded } from "../../api/events/reminders.ts";
import { snippetAdded, snippetRemoved, snippetUpdated } from "../../api/events/saved-snippets.ts";
import {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from "../../api/events/scheduled-messages.ts";
import {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
} from "../../api/events/subscriptions.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "../../api/events/typing.ts";
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from "../../api/events/uploads.ts";
import { userStatusChanged } from "../../api/events/user-status.ts";
import { mutedTopicsChanged, userTopicChanged } from "../../api/events/user-topics.ts";
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
} from "../../api/events/users.ts";
import { createExport } from "../../api/exports.ts";
import { updateMessageFlags } from "../../api/flags.ts";
import { updateUserGroupMembers, updateUserGroupSubgroups } from "../../api/group-members.ts";
import { createUserGroup, deleteUserGroup, updateUserGroup } from "../../api/groups.ts";
import { createInvitationLink } from "../../api/invitations.ts";
import { addLinkifier } from "../../api/linkifiers.ts";
import { sendMessage } from "../../api/messages.ts";
import { muteUser } from "../../api/muted-users.ts";
import { addNavigationView, removeNavigationView, updateNavigationView } from "../../api/navigation-views.ts";
import { markOnboardingStepAsSeen } from "../../api/onboarding-steps.ts";
import { updateOrganization } from "../../api/organization.ts";
import { addPlayground } from "../../api/playgrounds.ts";
import { addSubmessage } from "../../api/polls.ts";
import { reportPresence } from "../../api/presence.ts";
import { createProfileField } from "../../api/profile-fields.ts";
import { addReaction, removeReaction } from "../../api/reactions.ts";
import { createReminder, deleteReminder } from "../../api/reminders.ts";
import { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } from "../../api/saved-snippets.ts";
import {
  deleteScheduledMessage,
  scheduleMessage,
  tomorrow,
  updateScheduledMessage,
} from "../../api/scheduled-messages.ts";
import { subscribe, unsubscribe, updateSubscription } from "../../api/subscriptions.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "../../api/typing.ts";
import { updateChannel } from "../../api/update-channel.ts";
import { updateUser } from "../../api/update-users.ts";
import { deleteAttachment, getAttachments, uploadFile } from "../../api/uploads.ts";
import { updateOwnStatus } from "../../api/user-status.ts";
import { setTopicVisibility } from "../../api/user-topics.ts";
import { createUser, updateSettings } from "../../api/users.ts";
import { channels } from "../../server/features/channels/channel.ts";
import { messageFacts } from "../../server/features/messages/model/message.ts";
import { reportPresence as noteReport } from "../../server/features/presence/actions.ts";
import { deactivateUser } from "../../server/features/users/actions.ts";
import { users } from "../../server/features/users/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { Harness } from "../harness/harness.ts";
import { kindOptions } from "./expected-access.ts";
import {
  byEach,
  type ChannelScene,
  inChannels,
  type Listener,
  type OwnScenario,
  type Scenario,
  type Scene,
  toAll,
} from "./scenario.ts";

/** Events that have no scenario here, and the reason. */
export const withoutScenario: ReadonlyMap<EventDeclaration, string> = new Map<EventDeclaration, string>([
  [heartbeat, "it is of no log, and goes to every held poll"],
  [userRemoved, "only limited guests get it: server/features/guest-access/guest-access.test.ts"],
  [organizationDeactivated, "it ends every queue of the organization"],
  ...[botAdded, botUpdated, botRemoved].map(
    (each) => [each, "a bot's owner and administrators get it: test/replay/bots.test.ts"] as const,
  ),
  [pushDeviceChanged, "only a push service causes it, and the server has none"],
]);

const aPoll = '{"widget_type":"poll","extra_data":{"question":"Soup?","options":["leek"]}}';
const soup = { type: "" as const, to: [], topic: "", content: "Soup" };
const octopus = { emoji_name: "octopus" };

export const scenarios: readonly Scenario[] = [
  inChannels(messageSent, "subscribers", ({ olga, channel }) =>
    olga(sendMessage, { type: "channel", to: channel.id, topic: "lunch", content: "Bread, too" }),
  ),
  byEach(messageSent, ({ olga, self }) =>
    olga(sendMessage, { type: "direct", to: [self.id], content: "For you" }),
  ),
  byEach(flagAdded, async ({ olga, self, begin }) => {
    const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
    begin();
    await self.call(updateMessageFlags, { messages: [id], op: "add", flag: "starred" });
  }),
  byEach(flagRemoved, async ({ olga, self, begin }) => {
    const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
    await self.call(updateMessageFlags, { messages: [id], op: "add", flag: "starred" });
    begin();
    await self.call(updateMessageFlags, { messages: [id], op: "remove", flag: "starred" });
  }),
  inChannels(messageUpdated, "readers", ({ olga, messageId }) =>
    olga(editMessage, { message_id: messageId, content: "Soup at noon?" }),
  ),
  inChannels(messageUpdated, "readers", ({ olga, messageId }) =>
    olga(editMessage, { message_id: messageId, topic: "dinner" }),
  ),
  inChannels(messagesDeleted, "readers", remove, { clients: ["modern"] }),
  inChannels(messagesDeleted, "readers", moveOutOfSight, { clients: ["modern"] }),
  inChannels(messageDeleted, "readers", remove, { clients: ["plain"] }),
  inChannels(reactionAdded, "readers", ({ olga, messageId }) =>
    olga(addReaction, { message_id: messageId, ...octopus }),
  ),
  inChannels(reactionRemoved, "readers", async ({ olga, messageId, begin }) => {
    await olga(addReaction, { message_id: messageId, ...octopus });
    begin();
    await olga(removeReaction, { message_id: messageId, ...octopus });
  }),
  inChannels(submessageAdded, "readers", async ({ olga, harness, messageId }) => {
    // The message may be from before or after they joined, so it becomes a poll only here.
    await harness.state.database.query(sql`
      with poll as (update messages set facts = facts | ${messageFacts.isWidget} where id = ${messageId} returning *)
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      select organization_id, id, sender_id, 'widget', ${aPoll} from poll`);
    await olga(addSubmessage, {
      message_id: messageId,
      msg_type: "widget",
      content: { type: "vote", key: "canned,0", vote: 1 },
    });
  }),
  byEach(directTypingStarted, ({ olga, self }) => olga(setTypingStatus, { op: "start", to: [self.id] })),
  byEach(directTypingStopped, ({ olga, self }) => olga(setTypingStatus, { op: "stop", to: [self.id] })),
  inChannels(channelTypingStarted, "subscribers", typing("start"), {
    clients: ["modern"],
    unheardOutside: true,
  }),
  inChannels(channelTypingStopped, "subscribers", typing("stop"), {
    clients: ["modern"],
    unheardOutside: true,
  }),
  inChannels(messageEditingStarted, "readers", editing("start")),
  inChannels(messageEditingStopped, "readers", editing("stop")),

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

  toAll(
    linkifiersChanged,
    "everyone",
    ({ olga, freshName }) =>
      olga(addLinkifier, { pattern: `${freshName}#[0-9]+`, url_template: "https://tickets.example.com/" }),
    { clients: ["modern"] },
  ),
  toAll(playgroundsChanged, "everyone", ({ olga, freshName }) =>
    olga(addPlayground, {
      name: freshName,
      pygments_language: "Python",
      url_template: "https://run.example.com/{code}",
    }),
  ),
  toAll(customEmojiChanged, "everyone", ({ olga, freshName }) =>
    olga(addCustomEmoji, { emoji_name: freshName }),
  ),
  toAll(domainAdded, "everyone", allowDomain),
  toAll(domainChanged, "everyone", async (scene) => {
    const { domain } = await allowDomain(scene);
    scene.begin();
    await scene.olga(updateDomain, { domain, allow_subdomains: true });
  }),
  toAll(domainRemoved, "everyone", async (scene) => {
    const { domain } = await allowDomain(scene);
    scene.begin();
    await scene.olga(removeDomain, { domain });
  }),

  toAll(exportsChanged, "administrators", ({ olga }) => olga(createExport, { export_type: 1 })),
  toAll(exportConsentChanged, "administrators", ({ olga }) =>
    olga(updateSettings, { allow_private_data_export: true }),
  ),

  toAll(invitationsChanged, "administrators", ({ olga }) => olga(createInvitationLink, {})),

  byEach(mutedUsersChanged, ({ self, pat }) => self.call(muteUser, { muted_user_id: pat.id })),
  byEach(scheduledMessagesAdded, schedule),
  byEach(scheduledMessageUpdated, async (scene) => {
    const { scheduled_message_id } = await schedule(scene);
    scene.begin();
    await scene.self.call(updateScheduledMessage, { scheduled_message_id, content: "Even later" });
  }),
  byEach(scheduledMessageRemoved, async (scene) => {
    const { scheduled_message_id } = await schedule(scene);
    scene.begin();
    await scene.self.call(deleteScheduledMessage, { scheduled_message_id });
  }),
  byEach(remindersAdded, remind),
  byEach(reminderRemoved, async (scene) => {
    const { reminder_id } = await remind(scene);
    scene.begin();
    await scene.self.call(deleteReminder, { reminder_id });
  }),
  byEach(alertWordsChanged, ({ self, freshName }) => self.call(addAlertWords, { alert_words: [freshName] })),
  byEach(snippetAdded, snippet),
  byEach(snippetUpdated, async (scene) => {
    const saved_snippet_id = await snippet(scene);
    scene.begin();
    await scene.self.call(updateSavedSnippet, { saved_snippet_id, title: "Hello" });
  }),
  byEach(snippetRemoved, async (scene) => {
    const saved_snippet_id = await snippet(scene);
    scene.begin();
    await scene.self.call(deleteSavedSnippet, { saved_snippet_id });
  }),
  byEach(attachmentAdded, ({ self }) => self.call(uploadFile, {})),
  byEach(attachmentUpdated, async ({ self, begin }) => {
    const { url } = await self.call(uploadFile, {});
    begin();
    await self.call(sendMessage, { type: "direct", to: [self.id], content: `[soup](${url})` });
  }),
  byEach(attachmentRemoved, async ({ self, begin }) => {
    await self.call(uploadFile, {});
    const { attachments } = await self.call(getAttachments, {});
    begin();
    await self.call(deleteAttachment, { attachment_id: attachments[0]?.id as number });
  }),
  byEach(draftsAdded, draft),
  byEach(draftUpdated, async (scene) => {
    const draft_id = await draft(scene);
    scene.begin();
    await scene.self.call(editDraft, { draft_id, draft: { ...soup, content: "Stew" } });
  }),
  byEach(draftRemoved, async (scene) => {
    const draft_id = await draft(scene);
    scene.begin();
    await scene.self.call(deleteDraft, { draft_id });
  }),
  byEach(onboardingStepsChanged, ({ self }) =>
    self.call(markOnboardingStepAsSeen, { onboarding_step: "intro_resolve_topic" }),
  ),
  byEach(viewAdded, view),
  byEach(viewUpdated, async (scene) => {
    const fragment = await view(scene);
    scene.begin();
    await scene.self.call(updateNavigationView, { fragment, is_pinned: false });
  }),
  byEach(viewRemoved, async (scene) => {
    const fragment = await view(scene);
    scene.begin();
    await scene.self.call(removeNavigationView, { fragment });
  }),
  toAll(groupAdded, "everyone", group),
  toAll(groupUpdated, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroup, { user_group_id, description: "Who cooks" });
  }),
  toAll(groupMembersAdded, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroupMembers, { user_group_id, add: [scene.pat.id] });
  }),
  toAll(groupMembersRemoved, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroupMembers, { user_group_id, delete: [scene.olgaId] });
  }),
  toAll(subgroupsAdded, "everyone", async (scene) => {
    const [user_group_id, part] = [await group(scene), await group(scene, "part of ")];
    scene.begin();
    await scene.olga(updateUserGroupSubgroups, { user_group_id, add: [part] });
  }),
  toAll(subgroupsRemoved, "everyone", async (scene) => {
    const [user_group_id, part] = [await group(scene), await group(scene, "part of ")];
    await scene.olga(updateUserGroupSubgroups, { user_group_id, add: [part] });
    scene.begin();
    await scene.olga(updateUserGroupSubgroups, { user_group_id, delete: [part] });
  }),
  toAll(groupRemoved, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(deleteUserGroup, { user_group_id });
  }),

  toAll(userAdded, "everyone", (scene) => scene.olga(createUser, newcomer(scene))),
  toAll(userActivated, "everyone", async (scene) => {
    const { state } = scene.harness;
    const { user_id } = await scene.olga(createUser, newcomer(scene));
    scene.begin();
    const target = state.get(users).find(user_id);
    if (target) await runStateChange(state, (tx) => deactivateUser(tx, target));
  }),
  toAll(userRoleChanged, "everyone", async (scene) => {
    const { user_id } = await scene.olga(createUser, newcomer(scene));
    scene.begin();
    await scene.olga(updateUser, { user_id, role: 300 });
  }),
  toAll(botOwnerChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    const bot = await olga(createBot, { full_name: `Bot ${freshName}`, short_name: freshName });
    begin();
    await olga(updateBot, { bot_id: bot.user_id, bot_owner_id: pat.id });
  }),
  toAll(userRenamed, "everyone", ({ olga, pat, freshName }) =>
    olga(updateUser, { user_id: pat.id, full_name: `Pat ${freshName}` }),
  ),
  toAll(userEmailChanged, "everyone", hideAddress),
  // Other initials give another drawn picture.
  toAll(userAvatarChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    await olga(updateUser, { user_id: pat.id, full_name: `Pat ${freshName}` });
    begin();
    await olga(updateUser, { user_id: pat.id, full_name: `Rosa ${freshName}` });
  }),
  toAll(userDeliveryEmailChanged, "everyone", hideAddress),
  toAll(userTimezoneChanged, "everyone", ({ olga }) => olga(updateSettings, { timezone: "Europe/Oslo" })),
  toAll(userProfileFieldChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    const { id } = await olga(createProfileField, { name: freshName, field_type: 1 });
    begin();
    await olga(updateUser, { user_id: pat.id, profile_data: [{ id, value: "*Soup*" }] });
  }),
  toAll(profileFieldsChanged, "everyone", ({ olga, freshName }) =>
    olga(createProfileField, { name: freshName, field_type: 1 }),
  ),
  toAll(presenceChanged, "everyone", ({ olga }) => olga(reportPresence, { status: "active" }), {
    clients: ["modern"],
  }),
  // She is there now, so somebody else comes.
  toAll(
    legacyPresenceChanged,
    "everyone",
    async ({ harness: { state }, pat }) => {
      const user = state.get(users).find(pat.id);
      if (user) await noteReport({ state, user, client: "test" }, "active");
    },
    { clients: ["plain"] },
  ),
  toAll(userStatusChanged, "everyone", ({ olga, freshName }) =>
    olga(updateOwnStatus, { status_text: freshName }),
  ),
  byEach(userSettingChanged, ({ self }) => self.call(updateSettings, { twenty_four_hour_time: true }), {
    clients: ["modern"],
  }),
  byEach(displaySettingChanged, ({ self }) => self.call(updateSettings, { starred_message_counts: false }), {
    clients: ["plain"],
  }),
  byEach(notificationSettingChanged, ({ self }) => self.call(updateSettings, { enable_sounds: false }), {
    clients: ["plain"],
  }),
  toAll(organizationUpdated, "everyone", ({ olga, freshName }) =>
    olga(updateOrganization, { name: freshName }),
  ),
  toAll(organizationUpdatedTogether, "everyone", ({ olga }) =>
    olga(updateOrganization, { allow_message_editing: false }),
  ),
  toAll(defaultUserSettingChanged, "everyone", ({ olga }) =>
    olga(updateDefaultUserSettings, { twenty_four_hour_time: true }),
  ),
];

type OwnScene = Parameters<OwnScenario["cause"]>[0];

function remove({ olga, messageId }: ChannelScene) {
  return olga(deleteMessage, { message_id: messageId });
}

/** Sends to a private channel that no listener knows of except administrators, who can't read it. */
async function moveOutOfSight({ olga, messageId, freshName, harness, begin }: ChannelScene) {
  await olga(subscribe, { subscriptions: [{ name: freshName }], invite_only: true });
  const stream_id = channelNamed(harness, freshName) as number;
  begin();
  await olga(editMessage, { message_id: messageId, stream_id });
}

function typing(op: "start" | "stop"): Parameters<typeof inChannels>[2] {
  return ({ olga, channel }) =>
    olga(setTypingStatus, { type: "channel", op, stream_id: channel.id, topic: "lunch" });
}

function editing(op: "start" | "stop"): Parameters<typeof inChannels>[2] {
  return ({ olga, messageId }) => olga(setMessageEditTypingStatus, { message_id: messageId, op });
}

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

async function snippet({ self, freshName }: OwnScene): Promise<number> {
  return (await self.call(createSavedSnippet, { title: freshName, content: "Hello" })).saved_snippet_id;
}

async function draft({ self }: OwnScene): Promise<number> {
  const { ids } = await self.call(createDrafts, { drafts: [soup] });
  return ids[0] as number;
}

async function view({ self, freshName }: OwnScene): Promise<string> {
  const fragment = `narrow/search/${freshName}`;
  await self.call(addNavigationView, { fragment, is_pinned: true, name: freshName });
  return fragment;
}

async function hideAddress({ olga, begin }: Scene) {
  await olga(updateSettings, { email_address_visibility: 1 });
  begin();
  await olga(updateSettings, { email_address_visibility: 4 });
}

function newcomer({ freshName }: Scene) {
  return { email: `${freshName}@demo.test`, password: "a good start", full_name: "Faye Lind" };
}

/** Creates a group with olga as its only member. */
async function group({ olga, olgaId, freshName }: Scene, prefix = ""): Promise<number> {
  const { group_id } = await olga(createUserGroup, {
    name: prefix + freshName,
    description: "",
    members: [olgaId],
  });
  return group_id;
}

/** A message of the listener to themselves. */
function schedule({ self }: { self: Listener }) {
  return self.call(scheduleMessage, {
    type: "direct",
    to: [self.id],
    content: "Later",
    scheduled_delivery_timestamp: tomorrow(),
  });
}

/** Of a direct message of olga's. */
async function remind({ olga, self, begin }: OwnScene) {
  const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
  begin();
  return self.call(createReminder, { message_id: id, scheduled_delivery_timestamp: tomorrow() });
}

function channelNamed({ state }: Harness, name: string): number | undefined {
  return state.get(channels).findByName(name)?.id;
}

async function allowDomain({ olga, freshName }: Scene): Promise<{ domain: string }> {
  const domain = `${freshName.replace(/[^a-z0-9]/gi, "-")}.example.com`;
  await olga(addDomain, { domain, allow_subdomains: false });
  return { domain: domain.toLowerCase() };
}
