import type { ModuleExports } from "../module-exports.ts";
import { channels } from "./channel.ts";
import {
  channelRecords,
  endedSubscriptionRecords,
  folderRecords,
  subscriptionRecords,
} from "./export/records.ts";
import { exportScopeOf } from "./export/scope.ts";

export const channelExports: ModuleExports = {
  // Messages have the names of their topics, and the people of their conversations.
  tables: ["channel_folders", "channels", "subscriptions", "topics", "conversations"],
  leftOut: {
    conversation_members: "The same as conversations, for finding those of a person.",
    default_channel_groups: "Choices for people who sign up. Nothing refers to them.",
    default_channel_group_channels: "Choices for people who sign up. Nothing refers to them.",
    subscription_preferences: "They are personal settings.",
  },
  records({ state, type }) {
    const { open, received } = exportScopeOf(state, type);
    const included = [...state.get(channels).all()].filter(({ id }) => open.has(id) || received.has(id));
    return {
      channel_folders: folderRecords(state),
      channels: channelRecords(included),
      subscriptions: subscriptionRecords(state, included),
      ended_subscriptions: endedSubscriptionRecords(state, included),
    };
  },
};
