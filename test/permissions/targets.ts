/** The people and the things that each role acts on. */

import { randomBytes } from "node:crypto";
import { type Role as UserRole, roles as userRoles } from "../../api/roles.ts";
import { insertLink, upsertInvitations } from "../../server/accounts/invitations/store.ts";
import { createDefaultGroup } from "../../server/channels/defaults/actions.ts";
import { createChannelFolder } from "../../server/channels/folders/actions.ts";
import { addEmoji } from "../../server/content/emoji/actions.ts";
import { addLinkifier } from "../../server/content/linkifiers/actions.ts";
import { addPlayground } from "../../server/content/playgrounds/actions.ts";
import { addDomain } from "../../server/organization/allowed-emails/actions.ts";
import { createUser } from "../../server/people/actions.ts";
import { Quotas } from "../../server/people/quotas/quotas.ts";
import type { User } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { hashPassword } from "../../server/platform/crypto/passwords.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { createProfileField } from "../../server/profiles/profile-fields/actions.ts";
import type { Harness } from "../harness/harness.ts";
import { addIdentity } from "../harness/identities.ts";
import { addPasskey } from "../harness/passkeys.ts";
import { insertedUpload } from "../harness/uploads.ts";
import { actors, hasAccount, type Role, roles } from "./people.ts";
import type { Things } from "./places.ts";

export async function addPerson(harness: Harness, name: string, role: UserRole, passwordHash: string | null) {
  return runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `${name}@demo.test`,
      fullName: `${name} of the stage`,
      role,
      passwordHash,
    }),
  );
}

/** The person and the things that a role acts on. */
export interface Target {
  person: User;
  things: Pick<
    Things,
    | "userId"
    | "userEmail"
    | "botId"
    | "groupId"
    | "subgroupId"
    | "folderId"
    | "defaultGroupId"
    | "linkifierId"
    | "linkifierIds"
    | "playgroundId"
    | "emojiName"
    | "domain"
    | "invitationId"
    | "invitationLinkId"
    | "snippetId"
    | "sessionId"
    | "passkeyId"
    | "identityId"
    | "viewFragment"
    | "draftId"
    | "attachmentId"
    | "uploadPath"
    | "exportId"
    | "scheduledMessageId"
    | "reminderId"
    | "profileFieldId"
    | "profileFieldIds"
  >;
}

export async function addTargets(harness: Harness, olga: User): Promise<Map<Role, Target>> {
  const passwordHash = await hashPassword("demo-password");
  const viewer = { state: harness.state, user: olga, client: "test" };
  const targets = new Map<Role, Target>();
  // One folder for all roles, because a call that orders the folders must name every one.
  const folder = await changeState(viewer, (tx) => createChannelFolder(tx, { name: "Product" }));
  const fields = await addProfileFields(harness, viewer);
  const linkifierIds: number[] = [];
  for (const [index, role] of roles.entries()) {
    const person = await addPerson(harness, `pat${index}`, userRoles.member, passwordHash);
    const bot = await runStateChange(harness.state, (tx) =>
      createUser(tx, harness.services.keyring, {
        email: `helper${index}-bot@demo.test`,
        fullName: `Helper ${index}`,
        role: userRoles.member,
        passwordHash: null,
        botType: 1,
        botOwnerId: olga.id,
      }),
    );
    const defaultGroup = await changeState(viewer, (tx) =>
      createDefaultGroup(tx, { name: `joiners ${index}`, description: "", channelNames: [] }),
    );
    const [groupId, subgroupId] = [
      await addGroup(harness, olga, `group ${index}`),
      await addGroup(harness, olga, `part ${index}`),
    ];
    const lists = await addToLists(viewer, `part${index}`);
    linkifierIds.push(lists.linkifierId);
    const actor = hasAccount(role) ? harness.user(actors[role] as "ada").user : olga;
    const snippetId = await addSnippet(harness, actor);
    const sessionId = await addSession(harness, actor);
    const viewFragment = await addView(harness, actor, `view ${index}`);
    targets.set(role, {
      person,
      things: {
        userId: person.id,
        userEmail: person.email,
        botId: bot.id,
        groupId,
        subgroupId,
        folderId: folder.id,
        defaultGroupId: defaultGroup.id,
        ...lists,
        // The list grows: a call that orders the linkifiers must name every one.
        linkifierIds,
        snippetId,
        sessionId,
        passkeyId: await addPasskey(harness, { state: harness.state, user: actor }),
        identityId: await addIdentity(harness, { state: harness.state, user: actor }),
        viewFragment,
        draftId: await addDraft(harness, actor),
        ...(await insertedUpload(harness, { state: harness.state, user: actor })),
        exportId: await addExport(harness, olga),
        scheduledMessageId: await addScheduledMessage(harness, role, olga),
        reminderId: await addReminder(harness, role, olga),
        ...(await addInvitations(harness, actor)),
        profileFieldId: fields[index] as number,
        profileFieldIds: fields,
      },
    });
  }
  return targets;
}

/** One for each role; a call that orders the fields must name every one. */
async function addProfileFields(harness: Harness, viewer: Viewer): Promise<number[]> {
  const quotas = new Quotas(harness.services.config);
  const ids: number[] = [];
  for (const index of roles.keys()) {
    const field = await changeState(viewer, (tx) =>
      createProfileField(tx, quotas, 1, { name: `field ${index}` }),
    );
    ids.push(field.id);
  }
  return ids;
}

/** One entry in each list that the organization keeps. */
async function addToLists(viewer: Viewer, name: string) {
  return changeState(viewer, async (tx) => {
    const urlTemplate = "https://tools.example.com/{code}";
    const linkifierId = await addLinkifier(tx, { pattern: `${name}#(?P<code>[0-9]+)`, urlTemplate });
    const playgroundId = await addPlayground(tx, { name, language: "Python", urlTemplate });
    const { domain } = await addDomain(tx, { domain: `${name}.example.com`, allowSubdomains: false });
    const emojiName = `emoji_${name}`;
    await addEmoji(tx, emojiName, { fileName: `${emojiName}.png`, isAnimated: false });
    return { linkifierId, playgroundId, emojiName, domain };
  });
}

async function addGroup(harness: Harness, creator: User, name: string): Promise<number> {
  const [group] = await harness.services.database.query<{ id: number }>(sql`
    insert into groups (organization_id, name, description, creator_id)
    values (${harness.state.organizationId}, ${name}, '', ${creator.id}) returning id`);
  return (group as { id: number }).id;
}

async function addSnippet(harness: Harness, owner: User): Promise<number> {
  const [snippet] = await harness.services.database.query<{ id: number }>(sql`
    insert into saved_snippets (organization_id, user_id, title, content)
    values (${harness.state.organizationId}, ${owner.id}, 'Welcome', '**Welcome**') returning id`);
  return (snippet as { id: number }).id;
}

async function addSession(harness: Harness, owner: User): Promise<number> {
  const [session] = await harness.services.database.query<{ id: number }>(sql`
    insert into sessions (organization_id, user_id, token_hash, expires_at, device, network)
    values (${harness.state.organizationId}, ${owner.id}, ${randomBytes(32)}, now() + interval '1 day', 'Firefox',
      '127.0.0.1')
    returning id`);
  return (session as { id: number }).id;
}

async function addDraft(harness: Harness, owner: User): Promise<number> {
  const [draft] = await harness.services.database.query<{ id: number }>(sql`
    insert into drafts (organization_id, user_id, topic, content, edited_at)
    values (${harness.state.organizationId}, ${owner.id}, '', 'Soup', now()) returning id`);
  return (draft as { id: number }).id;
}

/** One that is done. It was asked for long ago, so it does not count against the limit. */
async function addExport(harness: Harness, owner: User): Promise<number> {
  const [made] = await harness.services.database.query<{ id: number }>(sql`
    insert into exports (organization_id, acting_user_id, type, status, requested_at, ended_at, progress)
    values (${harness.state.organizationId}, ${owner.id}, 1, 'done', '2020-01-01', '2020-01-01', 100)
    returning id`);
  return (made as { id: number }).id;
}

async function addView(harness: Harness, owner: User, name: string): Promise<string> {
  const fragment = `narrow/search/${name}`;
  await harness.services.database.query(sql`
    insert into navigation_views (organization_id, user_id, fragment, is_pinned, name)
    values (${harness.state.organizationId}, ${owner.id}, ${fragment}, false, ${name})`);
  return fragment;
}

/** One to oneself, of the person who acts in this role. */
async function addScheduledMessage(harness: Harness, role: Role, olga: User): Promise<number> {
  const { id } = hasAccount(role) ? harness.user(actors[role] as "ada").user : olga;
  const [message] = await harness.services.database.query<{ id: number }>(sql`
    insert into scheduled_messages (organization_id, sender_id, user_ids, content, rendered_content, client,
      read_by_sender, deliver_at)
    select organization_id, id, array[id], 'Later', '<p>Later</p>', 'test', true, now() + interval '1 day'
    from users where id = ${id} returning id`);
  return (message as { id: number }).id;
}

/** One of an address and a link, which this account has made. */
async function addInvitations({ services, state }: Harness, { id: inviterId }: User) {
  const { database, keyring } = services;
  const row = {
    inviterId,
    parentId: null,
    encryptedToken: keyring.encrypt(keyring.newToken()),
    role: userRoles.member,
    channelIds: [],
    groupIds: [],
    joinsDefaultChannels: false,
    notifiesInviter: true,
    welcomeText: null,
    isByOperator: false,
    invitedAt: new Date(),
    expiresAt: null,
  };
  const hash = () => keyring.hash(keyring.newToken());
  const invitee = { email: `fay${inviterId}@demo.test`, tokenHash: hash() };
  const [invitationId] = await upsertInvitations(database, state.organizationId, row, [invitee]);
  const invitationLinkId = await insertLink(database, state.organizationId, row, hash());
  return { invitationId: invitationId as number, invitationLinkId };
}

/** A reminder of the person who acts in this role. The message is gone. */
async function addReminder(harness: Harness, role: Role, olga: User): Promise<number> {
  const { id } = hasAccount(role) ? harness.user(actors[role] as "ada").user : olga;
  const [reminder] = await harness.services.database.query<{ id: number }>(sql`
    insert into reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
    select organization_id, id, 1, '', 'Look', '<p>Look</p>', now() + interval '1 day'
    from users where id = ${id} returning id`);
  return (reminder as { id: number }).id;
}
