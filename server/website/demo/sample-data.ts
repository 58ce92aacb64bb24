/**
 * What Ada can try the API with: groups, a channel for reports, and one of each thing that people keep for
 * themselves, such as a reminder. The examples of the reference name them by their ids (see
 * `examples.test.ts`).
 */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { updateOrganization } from "../../administration/settings/update-organization.ts";
import { setTopicPolicy } from "../../attention/user-topics/actions.ts";
import { topicPolicies } from "../../attention/user-topics/policy.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findOrMakeTopic } from "../../channels/recipients/recipients.ts";
import { changePreferences } from "../../channels/subscriptions/preferences.ts";
import { createGroup } from "../../groups/create.ts";
import { groups } from "../../groups/group.ts";
import { findNewestInTopic } from "../../messages/query/newest-in-topic.ts";
import { prepareText } from "../../messages/send/send.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { createDrafts } from "../../personal/drafts/actions.ts";
import { addNavigationView } from "../../personal/navigation-views/actions.ts";
import { createReminder } from "../../personal/reminders/actions.ts";
import { createSavedSnippet } from "../../personal/saved-snippets/actions.ts";
import { scheduleMessage } from "../../personal/scheduled-messages/actions.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type ChannelName, demoGroups } from "./cast.ts";
import { Cast } from "./demo-cast.ts";

const WEEK_MS = 7 * 24 * 3600 * 1000;

export function hasGroups(state: OrganizationState): boolean {
  return [...state.get(groups).all()].some(({ name }) => name === demoGroups[0].name);
}

export async function createGroups(tx: ViewerChange): Promise<void> {
  const cast = new Cast(tx.state);
  for (const { name, description, members } of demoGroups) {
    const memberIds = members.map((member) => cast.user(member).id);
    await createGroup(tx, { name, description, memberIds, subgroupIds: [], permission: () => undefined });
  }
}

/** Ada follows and mutes some topics, and her channels are in an order of her own. */
export async function arrangeTopics(tx: ViewerChange): Promise<void> {
  const { state, viewer } = tx;
  const choices = [
    ["engineering", "release 2.5", topicPolicies.followed],
    ["design", "tide curve", topicPolicies.followed],
    ["random", "playlist for the ferry", topicPolicies.muted],
  ] as const;
  for (const [name, topicName, policy] of choices) {
    const channelId = channelOf(state, name).id;
    const topic = await findOrMakeTopic(state, channelId, topicName);
    await setTopicPolicy(
      tx,
      { id: topic.id, channelId, name: topic.name },
      { userId: viewer.user.id, policy },
    );
  }
  await changePreferences(tx, [
    { channelId: channelOf(state, "general").id, property: "pin_to_top", value: true },
    { channelId: channelOf(state, "random").id, property: "is_muted", value: true },
  ]);
}

/** `now`: the present of the demo. */
export async function addPersonalData(tx: ViewerChange, now: number): Promise<void> {
  const { state, viewer } = tx;
  const leads = channelOf(state, "leads");
  const general = channelOf(state, "general");
  const deliveryTimestamp = Math.floor(Math.max(now, Date.now()) / 1000 + WEEK_MS / 1000);
  await updateOrganization(tx, {
    name: undefined,
    values: new Map([[organizationSettings.moderationRequestChannelId, leads.id]]),
    permissions: new Map(),
  });
  await createDrafts(tx, [
    { type: "channel", to: [general.id], topic: "lunch", content: "Pizza on Friday?" },
  ]);
  await addNavigationView(tx, { fragment: "narrow/is/alerted", isPinned: true, name: "Alert words" });
  await createSavedSnippet(tx, { title: "Welcome", content: "**Welcome** to Tidewater!" });
  const poll = await findNewestInTopic({ state, user: viewer.user }, tx, general.id, "Friday");
  const messageId = poll as number;
  await createReminder(tx, { messageId, note: "Vote before Friday.", deliveryTimestamp });
  const text = await prepareText(viewer, "One week already! :tada:");
  const scheduled = { type: "channel", to: general.id, topic: "welcome", readBySender: undefined };
  await scheduleMessage(tx, { ...scheduled, deliveryTimestamp }, text);
}

function channelOf(state: OrganizationState, name: ChannelName): Channel {
  return state.get(channels).findByName(name) as Channel;
}
