import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { channels } from "../channels/channel.ts";
import type { RegisterSection } from "../users/register-section.ts";
import { topicPolicies } from "./policy.ts";
import { nameOfVisible, presentMutedTopics, presentUserTopics, withDisplayNames } from "./present.ts";
import { listUserTopics } from "./user-topic-list.ts";

/** What the viewer wants of topics. */
export const userTopicSection: RegisterSection = async (snapshot) => {
  const { state, viewer, tx, wants, wantsAll, options } = snapshot;
  const wantsNew = wants("user_topic");
  // COMPAT: who asks for both by name knows the new form, and asks for the old one for the sake of old servers.
  const wantsOld = wants("muted_topics") && (wantsAll || !wantsNew);
  if (!wantsNew && !wantsOld) return undefined;
  const names = viewer && wantsOld ? namesOfVisible(state, viewer.user.id) : new Map<ChannelId, string>();
  const topics = viewer ? await listUserTopics(tx, state.organizationId, viewer.user.id) : [];
  const hasNames = options.capabilities.empty_topic_name === true;
  const muted = topics.filter(({ policy }) => policy === topicPolicies.muted);
  const shown = presentMutedTopics(muted, (channelId) => names.get(channelId));
  return {
    ...(wantsNew && { user_topics: presentUserTopics(topics, hasNames) }),
    ...(wantsOld && { muted_topics: hasNames ? shown : withDisplayNames(shown) }),
  };
};

/** Of the moment of the snapshot. */
function namesOfVisible(state: OrganizationState, userId: UserId): Map<ChannelId, string> {
  const names = new Map<ChannelId, string>();
  for (const { id } of state.get(channels).all()) {
    const name = nameOfVisible(state, userId, id);
    if (name !== undefined) names.set(id, name);
  }
  return names;
}
