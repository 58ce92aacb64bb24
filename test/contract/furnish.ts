/** What the sample calls of the contract tests name. */
import type { SampleIds } from "../../api/endpoint.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { roles } from "../../api/roles.ts";
import { createDefaultGroup } from "../../server/channels/defaults/actions.ts";
import { createChannelFolder } from "../../server/channels/folders/actions.ts";
import { addEmoji } from "../../server/content/emoji/actions.ts";
import { createUser, deactivateUser } from "../../server/people/actions.ts";
import { findEncryptedApiKey } from "../../server/people/api-key-store.ts";
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

/** The one that sample calls sign in with. */
const PASSWORD = "demo-password";

export type Things = Omit<SampleIds, "queueId" | "lastEventId" | "freshName">;

/** Things that are made once in an organization. */
type Lasting = Pick<
  SampleIds,
  | "userId"
  | "userEmail"
  | "botId"
  | "folderId"
  | "linkifierId"
  | "linkifierIds"
  | "playgroundId"
  | "emojiName"
  | "domain"
>;

/** Things that some calls destroy. */
export type PassingThings = Omit<Things, keyof Lasting>;

/** A person with a password, a bot and a folder in the organization of an owner, and what passes. */
export async function furnish(
  harness: Harness,
  { owner, botOwner, number }: { owner: CastName; botOwner: CastName; number: number },
): Promise<Things> {
  const { viewer } = harness.user(owner);
  const person = { email: `pat@${owner}.test`, full_name: "Pat Moe", password: PASSWORD };
  const { body: added } = await harness.as(owner).post("/users", person);
  const bot = await runStateChange(viewer.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `helper-bot@${owner}.test`,
      fullName: "Helper Bot",
      role: roles.member,
      passwordHash: null,
      botType: 1,
      botOwnerId: harness.user(botOwner).user.id,
    }),
  );
  const folder = await changeState(viewer, (tx) => createChannelFolder(tx, { name: "Product" }));
  const { body: linkifier } = await harness
    .as(owner)
    .post("/realm/filters", { pattern: "#[0-9]+", url_template: "https://tickets.example.com/" });
  const { body: playground } = await harness.as(owner).post("/realm/playgrounds", {
    name: "Runner",
    pygments_language: "Python",
    url_template: "https://run.example.com/{code}",
  });
  const emojiName = `soup_of_${owner}`;
  await changeState(viewer, (tx) => addEmoji(tx, emojiName, { fileName: "soup.png", isAnimated: false }));
  const domain = `${owner}.example`;
  await harness.as(owner).post("/realm/domains", { domain, allow_subdomains: false });
  return {
    userId: added.user_id,
    userEmail: person.email,
    botId: bot.id,
    folderId: folder.id,
    linkifierId: linkifier.id,
    linkifierIds: [linkifier.id],
    playgroundId: playground.id,
    emojiName,
    domain,
    ...(await furnishPassing(harness, owner, number)),
  };
}

/** A channel with a message, and groups. */
export async function furnishPassing(
  harness: Harness,
  owner: CastName,
  number: number,
): Promise<PassingThings> {
  const { viewer } = harness.user(owner);
  const name = `sample ${number}`;
  await harness.as(owner).post("/users/me/subscriptions", { subscriptions: [{ name }] });
  const { body: found } = await harness.as(owner).get("/get_stream_id", { stream: name });
  const message = { type: "channel", to: found.stream_id, topic: "lunch", content: "Soup today?" };
  const { body: sent } = await harness.as(owner).post("/messages", message);
  const defaultGroup = await changeState(viewer, (tx) =>
    createDefaultGroup(tx, { name, description: "", channelNames: [] }),
  );
  const newGroup = (part: string) => ({ name: `${part} of ${name}`, description: "", members: [] });
  const { body: group } = await harness.as(owner).post("/user_groups/create", newGroup("apps"));
  const { body: subgroup } = await harness.as(owner).post("/user_groups/create", newGroup("phones"));
  const { body: snippet } = await harness
    .as(owner)
    .post("/saved_snippets", { title: name, content: "Hello" });
  const viewFragment = `narrow/search/${name}`;
  await harness.as(owner).post("/navigation_views", { fragment: viewFragment, is_pinned: false, name });
  const draft = { type: "", to: [], topic: "", content: "Soup" };
  const { body: drafts } = await harness.as(owner).post("/drafts", { drafts: [draft] });
  const { body: scheduled } = await harness.as(owner).post("/scheduled_messages", {
    type: "direct",
    to: [harness.user(owner).id],
    content: "Later",
    scheduled_delivery_timestamp: tomorrow(),
  });
  const { body: reminder } = await harness
    .as(owner)
    .post("/reminders", { message_id: sent.id, scheduled_delivery_timestamp: tomorrow() });
  const profileFieldIds = await profileFieldsOf(harness, owner, `field ${number}`);
  return {
    channelId: found.stream_id,
    channelName: name,
    topic: "lunch",
    messageId: sent.id,
    ownMessageId: sent.id,
    groupId: group.group_id,
    subgroupId: subgroup.group_id,
    defaultGroupId: defaultGroup.id,
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
    ...(await invitationsOf(harness, owner, `${name.replace(" ", "")}@${owner}.example`)),
  };
}

export async function someoneGone(harness: Harness): Promise<{ email: string; apiKey: string }> {
  const email = "quinn@demo.test";
  const add = { email, fullName: "Quinn Lee", role: roles.member, passwordHash: null };
  const user = await runStateChange(harness.state, (tx) => createUser(tx, harness.services.keyring, add));
  const encrypted = await findEncryptedApiKey(
    harness.services.database,
    harness.state.organizationId,
    user.id,
  );
  await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
  return { email, apiKey: harness.services.keyring.decrypt(encrypted as Buffer) };
}
