import { organizationSettings } from "../../../api/organization-settings.ts";
import { channels } from "../channels/channel.ts";
import { createDefaultGroup } from "../channels/defaults/actions.ts";
import { createDrafts } from "../drafts/actions.ts";
import { createGroup } from "../groups/create.ts";
import { addNavigationView } from "../navigation-views/actions.ts";
import { updateOrganization } from "../organization-settings/update-organization.ts";
import { createReminder } from "../reminders/actions.ts";
import { createSavedSnippet } from "../saved-snippets/actions.ts";
import { scheduleMessage } from "../scheduled-messages/actions.ts";
import { changeContent, changeState } from "../users/change.ts";
import { type User, users } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import { type CastName, demoGroups, people } from "./cast.ts";

const WEEK_SECONDS = 7 * 24 * 3600;

/**
 * Adds what Ada can try the API with: groups, a channel for reports, and one of each thing that people keep
 * for themselves, such as a reminder of the message `messageId`. The examples of the reference name them by
 * their ids (see `examples.test.ts`).
 */
export async function furnish(ada: Viewer, messageId: number): Promise<void> {
  const { state } = ada;
  const all = state.get(users);
  const idOf = (name: Exclude<CastName, "echo">) => (all.findByEmail(people[name].email) as User).id;
  const leads = state.get(channels).findByName("leads");
  await changeState(ada, async (tx) => {
    for (const { name, description, members } of demoGroups) {
      const memberIds = members.map(idOf);
      await createGroup(tx, { name, description, memberIds, subgroupIds: [], permission: () => undefined });
    }
    await createDefaultGroup(tx, {
      name: "Engineers",
      description: "For those who build the app.",
      channelNames: ["engineering"],
    });
    await updateOrganization(tx, {
      name: undefined,
      values: new Map([[organizationSettings.moderationRequestChannelId, leads?.id ?? -1]]),
      permissions: new Map(),
    });
  });
  const general = state.get(channels).findByName("general")?.id as number;
  const deliveryTimestamp = Math.floor(Date.now() / 1000) + WEEK_SECONDS;
  await changeContent(ada, async (tx) => {
    await createDrafts(tx, [{ type: "channel", to: [general], topic: "lunch", content: "Pizza on Friday?" }]);
    await addNavigationView(tx, { fragment: "narrow/is/alerted", isPinned: true, name: "Alert words" });
    await createSavedSnippet(tx, { title: "Welcome", content: "**Welcome** to Tidewater!" });
    await createReminder(tx, { messageId, note: "Vote before Friday.", deliveryTimestamp });
    await scheduleMessage(tx, {
      type: "channel",
      to: general,
      topic: "welcome",
      content: "One week already! :tada:",
      readBySender: undefined,
      deliveryTimestamp,
    });
  });
}
