import type { ChannelId, UserId } from "../../../api/ids.ts";
import { registerUserTopics } from "../../../api/register/user-topics.ts";
import { channels } from "../../channels/channel.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { topicPolicies } from "./policy.ts";
import { nameOfVisible, presentMutedTopics, presentUserTopics, withDisplayNames } from "./present.ts";
import { listUserTopics } from "./topic-policies.ts";

/** The viewer's policies for topics, in the new form and the old one (spec E20). */
export const userTopicSection = sectionOf(registerUserTopics, async (snapshot) => {
  const { state, viewer, tx, wants, wantsAll, options } = snapshot;
  const wantsNew = wants("user_topic");
  // COMPAT: a client that asks for both by name knows the new form. It asks for the old one for old
  // servers.
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
});

/** Must be called before the snapshot first awaits, since it reads memory. */
function namesOfVisible(state: OrganizationState, userId: UserId): Map<ChannelId, string> {
  const names = new Map<ChannelId, string>();
  for (const { id } of state.get(channels).all()) {
    const name = nameOfVisible(state, userId, id);
    if (name !== undefined) names.set(id, name);
  }
  return names;
}
