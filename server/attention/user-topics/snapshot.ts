import { registerUserTopics } from "../../../api/register/user-topics.ts";
import { visibleNames } from "../../channels/subscriptions/visible-channels.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { topicPolicies } from "./policy.ts";
import { presentMutedTopics, presentUserTopics, withDisplayNames } from "./present.ts";
import { ownTopicPolicies } from "./store.ts";

/** The viewer's policies for topics, in the new form and the old one (spec E20). */
export const userTopicSection = sectionOf(
  registerUserTopics,
  async (snapshot) => {
    const { state, viewer, own, wants, wantsAll, options } = snapshot;
    const wantsNew = wants("user_topic");
    // COMPAT: a client that asks for both by name knows the new form. It asks for the old one for old
    // servers.
    const wantsOld = wants("muted_topics") && (wantsAll || !wantsNew);
    if (!wantsNew && !wantsOld) return undefined;
    const nameOf = viewer && wantsOld ? visibleNames(state, viewer.user) : () => undefined;
    const topics = await own(ownTopicPolicies);
    const hasNames = options.capabilities.empty_topic_name === true;
    const muted = topics.filter(({ policy }) => policy === topicPolicies.muted);
    const shown = presentMutedTopics(muted, nameOf);
    return {
      ...(wantsNew && { user_topics: presentUserTopics(topics, hasNames) }),
      ...(wantsOld && { muted_topics: hasNames ? shown : withDisplayNames(shown) }),
    };
  },
  ownTopicPolicies,
);
