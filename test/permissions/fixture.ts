/**
 * A world in which every cell of the tables has its own things, so that one call can't spoil another. Each
 * role, kind of channel and standing has a channel with messages. Each role also has a person, a bot, a group
 * and a folder to act on. The world is built once. Each endpoint that changes something gets a copy, with its
 * own database.
 */

import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import pino from "pino";
import { inject } from "vitest";
import type { SampleIds } from "../../api/endpoint.ts";
import { type Role as UserRole, roles as userRoles } from "../../api/roles.ts";
import { createServer, openServices } from "../../server/app.ts";
import type { Config } from "../../server/config.ts";
import { addDomain } from "../../server/features/allowed-emails/actions.ts";
import type { Channel } from "../../server/features/channels/channel.ts";
import { createChannel } from "../../server/features/channels/create/create.ts";
import { createDefaultGroup } from "../../server/features/channels/defaults/actions.ts";
import { createChannelFolder } from "../../server/features/channels/folders/actions.ts";
import { subscribe, unsubscribe } from "../../server/features/channels/subscriptions/subscribe.ts";
import { addEmoji } from "../../server/features/emoji/actions.ts";
import { insertLink, upsertInvitations } from "../../server/features/invitations/store.ts";
import { addLinkifier } from "../../server/features/linkifiers/actions.ts";
import { sendMessage } from "../../server/features/messages/send/send.ts";
import { addPlayground } from "../../server/features/playgrounds/actions.ts";
import { createProfileField } from "../../server/features/profile-fields/actions.ts";
import { createUser } from "../../server/features/users/actions.ts";
import { changeState, type ViewerChange } from "../../server/features/users/change.ts";
import type { User } from "../../server/features/users/user.ts";
import type { Viewer } from "../../server/features/users/viewer.ts";
import { hashPassword } from "../../server/platform/crypto/passwords.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { Services } from "../../server/services.ts";
import { watchServer } from "../harness/caused-events.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../harness/harness.ts";
import { insertedUpload } from "../harness/uploads.ts";
import {
  type Kind,
  kindOptions,
  kinds,
  readsMessage,
  type Standing,
  standingsOf,
} from "./expected-access.ts";
import { actors, hasAccount, type Role, roles } from "./people.ts";

/** What a cell names in its call; queues are made when they are needed. */
export type Things = Omit<SampleIds, "queueId" | "lastEventId" | "freshName">;

/** A channel made for one cell. */
export interface Place {
  role: Role;
  kind: Kind;
  standing: Standing;
  things: Things;
  /** Words that only the messages of this channel hold that the role may not read. */
  unreadable: readonly string[];
}

export interface Fixture {
  places: readonly Place[];
  /** The things for a cell that is about no channel. The channel among them is public. */
  thingsOf(role: Role): Things;
  /**
   * The headers with which a role calls. The stranger uses the address of their own organization, or ours
   * with `here`.
   */
  headersOf(role: Role, where?: "here"): Record<string, string>;
  /** Everybody's API keys. */
  secrets: readonly string[];
  /** The one of the bot, which its owner may have. */
  botKey: string;
  /** A server on a copy of it all. */
  open(): Promise<Copy>;
  close(): Promise<void>;
}

export interface Copy {
  app: FastifyInstance;
  services: Services;
  /** Positions of the logs of all organizations: a call that changes nothing leaves them. */
  heads(): Promise<string>;
  /** The audit logs of all organizations, oldest first, from the entries after this one. */
  auditLog(afterId: number): Promise<{ id: number; action: string; text: string }[]>;
  close(): Promise<void>;
}

/** Making a copy is waiting for the database, so it can be done while another copy is in use. */
const COPIES_AHEAD = 3;

export async function buildFixture(): Promise<Fixture> {
  const harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await setRules(harness);
  const olga = await addPerson(harness, "olga", userRoles.owner, null);
  const moderation = await harness.channel("reports of the stage", ["ada"], { isPrivate: true });
  await harness.as("ada").patch("/realm", { moderation_request_channel_id: moderation.id });
  const targets = await addTargets(harness, olga);
  await setPresence(harness);
  const places = await makePlaces(harness, olga, targets);
  const { config, database } = harness.services;
  const { database: template } = database.connection;
  const identities = new Map(
    roles.flatMap((role) => (actors[role] ? [[role, harness.user(actors[role])] as const] : [])),
  );
  const ahead: Promise<Copy>[] = [];
  // A database can be copied only while nobody is connected to it.
  await harness.services.queues.stop();
  await harness.app.close();
  await database.close();
  return {
    places,
    thingsOf: (role) => places.find((place) => place.role === role)?.things as Things,
    headersOf(role, where) {
      const identity = identities.get(role);
      const host = role === "stranger" && where !== "here" ? OTHER_HOST : HOST;
      const credentials = identity && Buffer.from(`${identity.email}:${identity.apiKey}`).toString("base64");
      return {
        host,
        "user-agent": "ParleyTest/1.0",
        ...(credentials ? { authorization: `Basic ${credentials}` } : undefined),
      };
    },
    secrets: [...identities.values()].map(({ apiKey }) => apiKey),
    botKey: identities.get("bot")?.apiKey as string,
    open() {
      while (ahead.length < COPIES_AHEAD) ahead.push(openCopy(config, template as string));
      return ahead.shift() as Promise<Copy>;
    },
    async close() {
      for (const copy of ahead) await (await copy).close();
      await onServer(`drop database if exists ${template} with (force)`);
    },
  };
}

/**
 * Members count as full after a month, and all except elin have been here for longer. People without an
 * account may read web-public channels.
 */
async function setRules(harness: Harness): Promise<void> {
  await harness.as("ada").patch("/realm", { waiting_period_threshold: 30, enable_spectator_access: true });
  await harness.services.database.query(
    sql`update users set joined_at = '2020-01-01' where id <> ${harness.user("elin").id} and not is_system`,
  );
}

/** The people to act on were there once. */
async function setPresence(harness: Harness): Promise<void> {
  await harness.services.database.query(sql`
    insert into presences (organization_id, user_id, last_active_at, last_connected_at, update_id)
    select organization_id, id, now(), now(), 1 from users where email ~ '^pat'`);
}

async function addPerson(harness: Harness, name: string, role: UserRole, passwordHash: string | null) {
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
interface Target {
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

async function addTargets(harness: Harness, olga: User): Promise<Map<Role, Target>> {
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
  const { quotas } = harness.services;
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
    expiresAt: null,
  };
  const hash = () => keyring.hash(keyring.newToken());
  const invitee = { email: `fay${inviterId}@demo.test`, tokenHash: hash() };
  const [invitationId] = await upsertInvitations(database, state.organizationId, row, [invitee]);
  const invitationLinkId = await insertLink(database, state.organizationId, row, hash());
  return { invitationId: invitationId as number, invitationLinkId };
}

/** Of the person who acts in this role. The message is gone. */
async function addReminder(harness: Harness, role: Role, olga: User): Promise<number> {
  const { id } = hasAccount(role) ? harness.user(actors[role] as "ada").user : olga;
  const [reminder] = await harness.services.database.query<{ id: number }>(sql`
    insert into reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
    select organization_id, id, 1, '', 'Look', '<p>Look</p>', now() + interval '1 day'
    from users where id = ${id} returning id`);
  return (reminder as { id: number }).id;
}

interface Unfurnished {
  role: Role;
  kind: Kind;
  standing: Standing;
  channel: Channel;
  viewer: User | undefined;
  pat: User;
}

async function makePlaces(harness: Harness, olga: User, targets: Map<Role, Target>): Promise<Place[]> {
  const viewer = { state: harness.state, user: olga, client: "test" };
  const inTransaction = (work: (tx: ViewerChange) => Promise<void>) => changeState(viewer, work);
  const scopes: Unfurnished[] = [];
  await inTransaction(async (tx) => {
    for (const role of roles) {
      for (const kind of kinds) {
        for (const standing of standingsOf(role)) {
          const name = `${role} ${kind.replace(/\W+/g, " ")} ${scopes.length}`;
          const channel = await createChannel(tx, { name, ...kindOptions[kind] });
          const pat = targets.get(role)?.person as User;
          const actor = hasAccount(role) ? harness.user(actors[role] as "ada").user : undefined;
          scopes.push({ role, kind, standing, channel, viewer: actor, pat });
        }
      }
    }
    for (const { channel, pat } of scopes) await subscribe(tx, [channel], [olga, pat]);
  });
  const earlier = await sendEverywhere(harness, olga, scopes, "earlier");
  const joining = scopes.filter(({ standing }) => standing.relation !== "never");
  await inTransaction(async (tx) => {
    for (const scope of joining) await subscribe(tx, [scope.channel], [scope.viewer as User]);
  });
  const received = await sendEverywhere(harness, olga, scopes, "received");
  await inTransaction(async (tx) => {
    for (const scope of joining) {
      if (scope.standing.relation === "was subscribed") {
        await unsubscribe(tx, [scope.channel], [scope.viewer as User]);
      }
    }
  });
  const later = await sendEverywhere(harness, olga, scopes, "later");
  const messages = { earlier, received, later };
  const places = scopes.map(({ role, kind, standing, channel }, index): Place => {
    const [messageId, ownMessageId] = messages[standing.message][index] as [number, number];
    const place = {
      channelId: channel.id,
      channelName: channel.name,
      topic: "lunch",
      messageId,
      ownMessageId,
    };
    const { things: target } = targets.get(role) as Target;
    const unreadable = (["earlier", "received", "later"] as const).filter(
      (when) => !reads(role, kind, standing, when),
    );
    return {
      role,
      kind,
      standing,
      things: { ...target, ...place },
      unreadable: unreadable.map((when) => wordsOf(channel.name, when)),
    };
  });
  for (const [index, { viewer: author }] of scopes.entries()) {
    if (!author) continue;
    const own = [earlier, received, later].map((sent) => (sent[index] as [number, number])[1]);
    // A person's message can be in a channel that they never were in, because it may have been moved there.
    await harness.services.database.query(
      sql`update messages set sender_id = ${author.id} where id = any(${own}::bigint[])`,
    );
  }
  return places;
}

function wordsOf(channelName: string, when: Standing["message"]): string {
  return `Soup of ${channelName}, ${when}?`;
}

/** Whether the role may read a message of that time in the channel. A subscriber receives later messages. */
function reads(role: Role, kind: Kind, { relation }: Standing, when: Standing["message"]): boolean {
  const isReceived = relation === "subscribed" && when === "later";
  return readsMessage(role, kind, { relation, message: isReceived ? "received" : when } as Standing);
}

/** Two messages in each channel: one of olga's, and one that is going to be the actor's own. */
async function sendEverywhere(
  harness: Harness,
  olga: User,
  scopes: readonly Unfurnished[],
  when: Standing["message"],
): Promise<[number, number][]> {
  const sender = { state: harness.state, user: olga, client: "test" };
  const send = ({ channel }: Unfurnished) =>
    sendMessage(sender, {
      to: { kind: "channel", channel: { id: channel.id }, topic: "lunch" },
      content: wordsOf(channel.name, when),
      localEcho: null,
      readBySender: null,
    });
  return Promise.all(scopes.map((scope) => Promise.all([send(scope), send(scope)])));
}

async function openCopy(config: Config, template: string): Promise<Copy> {
  const name = `test_${process.pid}_${randomBytes(6).toString("hex")}`;
  const { superuser, owner } = inject("postgres");
  await onServer(`create database ${name} owner ${owner} template ${template} strategy file_copy`);
  const connection = { ...superuser, user: owner, database: name };
  const services = await openServices(config, pino({ level: "silent" }), connection);
  const app = await createServer(services);
  watchServer(app, services.database);
  return {
    app,
    services,
    async heads() {
      const rows = await services.database.query(
        sql`select organization_id, head from organization_logs order by organization_id`,
      );
      return JSON.stringify(rows);
    },
    auditLog: (afterId) =>
      services.database.query(sql`
        select id, action, audit_log::text as text from audit_log where id > ${afterId} order by id`),
    async close() {
      await services.queues.stop();
      await app.close();
      await services.database.close();
      await onServer(`drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgres").superuser);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
