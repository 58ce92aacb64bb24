import { getChannel, getChannels, getSubscriptions, subscribe, unsubscribe } from "./channels.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventDeclaration } from "./event.ts";
import {
  channelCreated,
  channelDeleted,
  defaultChannelsChanged,
  folderAdded,
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
} from "./events/channels.ts";
import { flagAdded, flagRemoved } from "./events/flags.ts";
import { groupMembersAdded, groupMembersRemoved } from "./events/groups.ts";
import { messageSent } from "./events/messages.ts";
import { organizationUpdated, organizationUpdatedTogether } from "./events/organization.ts";
import { reactionAdded, reactionRemoved } from "./events/reactions.ts";
import { heartbeat } from "./events/real-time.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
} from "./events/typing.ts";
import {
  displaySettingChanged,
  notificationSettingChanged,
  userActivated,
  userAdded,
  userRoleChanged,
  userSettingChanged,
  userTimezoneChanged,
} from "./events/users.ts";
import { updateMessageFlags } from "./flags.ts";
import { getUserGroups } from "./groups.ts";
import { getChannelTopics, getMessage, getMessages, sendMessage } from "./messages.ts";
import { getServerSettings, updateOrganization } from "./organization.ts";
import { addReaction, removeReaction } from "./reactions.ts";
import { deleteQueue, getEvents, registerQueue } from "./real-time.ts";
import { setTypingStatus } from "./typing.ts";
import { createUser, devFetchApiKey, fetchApiKey, getOwnUser, getUsers, updateSettings } from "./users.ts";

/** The product's table of contents: every endpoint, in the order of the reference. */
export const endpoints: readonly Endpoint[] = [
  registerQueue,
  getEvents,
  deleteQueue,
  sendMessage,
  getMessages,
  getMessage,
  updateMessageFlags,
  addReaction,
  removeReaction,
  setTypingStatus,
  getChannelTopics,
  getChannels,
  getChannel,
  getSubscriptions,
  subscribe,
  unsubscribe,
  getUsers,
  createUser,
  getOwnUser,
  updateSettings,
  getUserGroups,
  getServerSettings,
  updateOrganization,
  fetchApiKey,
  devFetchApiKey,
];

/** Every event, in the order of the reference. */
export const events: readonly EventDeclaration[] = [
  messageSent,
  flagAdded,
  flagRemoved,
  reactionAdded,
  reactionRemoved,
  directTypingStarted,
  directTypingStopped,
  channelTypingStarted,
  channelTypingStopped,
  channelCreated,
  channelDeleted,
  subscriptionAdded,
  subscriptionRemoved,
  peersAdded,
  peersRemoved,
  defaultChannelsChanged,
  folderAdded,
  userAdded,
  userActivated,
  userRoleChanged,
  userTimezoneChanged,
  groupMembersAdded,
  groupMembersRemoved,
  userSettingChanged,
  displaySettingChanged,
  notificationSettingChanged,
  organizationUpdated,
  organizationUpdatedTogether,
  heartbeat,
];
