import type { SampleIds } from "../../api/endpoint.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { roles } from "../../api/roles.ts";
import { addEmoji } from "../../server/content/emoji/actions.ts";
import { createUser } from "../../server/people/actions.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { doneExport } from "../harness/exports.ts";
import type { CastName, Harness } from "../harness/harness.ts";
import { addIdentity } from "../harness/identities.ts";
import { invitationsOf } from "../harness/invitations.ts";
import { addPasskey } from "../harness/passkeys.ts";
import { profileFieldsOf } from "../harness/profile-fields.ts";
import { addSession } from "../harness/sessions.ts";
import { insertedUpload } from "../harness/uploads.ts";

let count = 0;

/** Things of all kinds in the organization of an owner. */
export async function thingsOf(harness: Harness, owner: CastName): Promise<SampleIds> {
  const by = harness.as(owner);
  const freshName = `thing${++count}`;
  const userEmail = `${freshName}@${owner}.test`;
  const { body: person } = await by.post("/users", {
    email: userEmail,
    full_name: "Pat Moe",
    password: "a good start",
  });
  const { state } = harness.user(owner).viewer;
  const bot = await runStateChange(state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `${freshName}-bot@${owner}.test`,
      fullName: "Helper Bot",
      role: roles.member,
      passwordHash: null,
      botType: 1,
      botOwnerId: harness.user(owner).user.id,
    }),
  );
  const { body: made } = await by.post("/channels/create", {
    name: freshName,
    subscribers: [harness.user(owner).id],
  });
  const message = { type: "channel", to: made.id, topic: "lunch", content: "Soup today?" };
  const { body: sent } = await by.post("/messages", message);
  const { body: ownSent } = await by.post("/messages", message);
  const { body: group } = await by.post("/user_groups/create", {
    name: freshName,
    description: "",
    members: [],
  });
  const { body: part } = await by.post("/user_groups/create", {
    name: `${freshName} part`,
    description: "",
    members: [],
  });
  const { body: folder } = await by.post("/channel_folders/create", { name: freshName });
  const defaults = { group_name: freshName, description: "", stream_names: [] };
  await by.post("/default_stream_groups/create", defaults);
  const { body: snippet } = await by.post("/saved_snippets", { title: freshName, content: "Hello" });
  const viewFragment = `narrow/channel/${freshName}`;
  await by.post("/navigation_views", { fragment: viewFragment, is_pinned: true, name: freshName });
  const draft = { type: "", to: [], topic: "", content: "Soup" };
  const { body: drafts } = await by.post("/drafts", { drafts: [draft] });
  const { body: scheduled } = await by.post("/scheduled_messages", {
    ...message,
    scheduled_delivery_timestamp: tomorrow(),
  });
  const { body: reminder } = await by.post("/reminders", {
    message_id: sent.id,
    scheduled_delivery_timestamp: tomorrow(),
  });
  const profileFieldIds = await profileFieldsOf(harness, owner, freshName);
  const linkifier = { pattern: `${freshName}#[0-9]+`, url_template: "https://tickets.example.com/" };
  const { body: filter } = await by.post("/realm/filters", linkifier);
  const { body: playground } = await by.post("/realm/playgrounds", {
    name: freshName,
    pygments_language: "Python",
    url_template: "https://run.example.com/{code}",
  });
  const emojiName = `soup_${freshName}`;
  const picture = { fileName: "soup.png", isAnimated: false };
  await changeState(harness.user(owner).viewer, (tx) => addEmoji(tx, emojiName, picture));
  const domain = `${freshName}.${owner}.example`;
  await by.post("/realm/domains", { domain, allow_subdomains: false });
  const invitations = await invitationsOf(harness, owner, `${freshName}@${owner}.example`);
  const { body: value } = await by.post("/register", {});
  const { id: defaultGroupId } = value.realm_default_stream_groups.find(
    (each: { name: string }) => each.name === freshName,
  );
  return {
    userId: person.user_id,
    userEmail,
    botId: bot.id,
    channelId: made.id,
    channelName: freshName,
    topic: "lunch",
    messageId: sent.id,
    ownMessageId: ownSent.id,
    groupId: group.group_id,
    subgroupId: part.group_id,
    folderId: folder.channel_folder_id,
    defaultGroupId,
    snippetId: snippet.saved_snippet_id,
    sessionId: (await addSession(harness, owner)).id,
    passkeyId: await addPasskey(harness, harness.user(owner).viewer),
    identityId: await addIdentity(harness, harness.user(owner).viewer),
    viewFragment,
    draftId: drafts.ids[0],
    ...(await insertedUpload(harness, harness.user(owner).viewer)),
    exportId: await doneExport(harness, owner),
    scheduledMessageId: scheduled.scheduled_message_id,
    reminderId: reminder.reminder_id,
    profileFieldId: profileFieldIds[0] as number,
    profileFieldIds,
    linkifierId: filter.id,
    linkifierIds: [filter.id],
    playgroundId: playground.id,
    emojiName,
    domain,
    ...invitations,
    queueId: value.queue_id,
    lastEventId: value.last_event_id,
    freshName,
  };
}
