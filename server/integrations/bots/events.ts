/**
 * What the owner of a bot and administrators learn of it. Most follows from accounts and API keys, so a hook
 * announces it, whichever action made the change. The log holds keys and tokens encrypted; the serializer
 * decrypts them for readers who may manage the bot at that time, in queues that an API key has registered.
 */
import type { PayloadOf } from "../../../api/event.ts";
import { botAdded, botRemoved, botUpdated } from "../../../api/events/bots.ts";
import type { UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { accountsAfter } from "../../groups/account-changes.ts";
import { organization } from "../../organization/organization.ts";
import { apiKeys } from "../../people/api-keys.ts";
import { changedDefaultSource, isSamePicture } from "../../people/pictures/picture-changes.ts";
import { type User, users } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, rareVariant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { canManageBot, isBot } from "./access.ts";
import { type BotDetails, readDetails } from "./details.ts";
import { presentBot } from "./present.ts";
import { listBotsOfChannels } from "./store.ts";

type Field = Exclude<keyof PayloadOf<typeof botAdded>["bot"], "user_id">;

/** The entry of the log: which bot, which fields, and what memory does not have of it. */
interface StoredBot {
  bot: { user_id: UserId };
  /** The fields that changed; absent: the bot is new for the readers. */
  fields?: readonly Field[];
  /** The bot's row, with the encrypted secrets as base64. */
  details: Omit<BotDetails, "apiKeyEncrypted" | "tokenEncrypted"> & { apiKey: string; token: string | null };
}

const storedAdded = storedEvent<StoredBot>()(botAdded);
const storedUpdated = storedEvent<StoredBot>()(botUpdated);

/** Announces fields of a bot that are in its row alone. */
export async function announceRow(tx: Change, bot: User, fields: readonly Field[]): Promise<void> {
  const details = (await readDetails(tx.state, tx, [bot.id])).get(bot.id);
  const readers = managers([...tx.state.get(users).all()], bot);
  if (details) appendUpdate(tx, bot, details, fields, readers);
}

/** Announces what follows for bots from changes of accounts, of keys, and of the names of channels. */
export const botChanges: BeforeCommitHook = {
  projections: [users.name, apiKeys.name, channels.name, organization.name],
  async run(tx, patches) {
    const { state } = tx;
    const after = accountsAfter(patches);
    const keys = new Set(patchesOf(patches, apiKeys).map(({ userId }) => userId));
    const all = state.get(users);
    const changes: BotChange[] = [];
    const people = changedPeople(state, after);
    const concerned = people.length > 0 ? bots(state, after) : changedBots(state, after, keys);
    for (const bot of concerned) {
      const before = all.byId.get(bot.id);
      changes.push(changeOf(state, after, { before, bot, people, hasNewKey: keys.has(bot.id) }));
    }
    if (changedDefaultSource(state, patchesOf(patches, organization)) !== undefined) {
      for (const bot of bots(state, after)) {
        if (bot.avatarFile === null) changes.push(forManagers(state, after, bot, ["avatar_url"]));
      }
    }
    const renamed = await botsOfRenamed(tx, patches);
    for (const id of renamed) {
      const bot = after.get(id) ?? all.byId.get(id);
      const fields: Field[] = ["default_sending_stream", "default_events_register_stream"];
      if (bot) changes.push(forManagers(state, after, bot, fields));
    }
    await appendChanges(tx, changes);
  },
};

interface BotChange {
  bot: User;
  /** Who may manage it from now on, no longer, and still. */
  added: readonly UserId[];
  removed: readonly UserId[];
  kept: readonly UserId[];
  fields: readonly Field[];
}

/** Some fields of a bot have changed, and nobody gains or loses it. */
function forManagers(
  state: OrganizationState,
  after: ReadonlyMap<UserId, User>,
  bot: User,
  fields: readonly Field[],
): BotChange {
  return { bot, added: [], removed: [], kept: managersAfter(state, after, bot), fields };
}

/** The people whose role or activity changes, in both forms. */
function changedPeople(state: OrganizationState, after: ReadonlyMap<UserId, User>): [User, User][] {
  const { byId } = state.get(users);
  return [...after.values()].flatMap((person): [User, User][] => {
    const before = byId.get(person.id);
    if (!before || person.botType !== null) return [];
    return before.role === person.role && before.isActive === person.isActive ? [] : [[before, person]];
  });
}

/** All bots as they are after the change. */
function* bots(state: OrganizationState, after: ReadonlyMap<UserId, User>): Iterable<User> {
  const { byId } = state.get(users);
  for (const user of byId.values()) if (isBot(user)) yield after.get(user.id) ?? user;
  for (const user of after.values()) if (isBot(user) && !byId.has(user.id)) yield user;
}

function changedBots(
  state: OrganizationState,
  after: ReadonlyMap<UserId, User>,
  keys: ReadonlySet<UserId>,
): User[] {
  const { byId } = state.get(users);
  const ids = new Set([...after.keys(), ...keys]);
  return [...ids].flatMap((id) => after.get(id) ?? byId.get(id) ?? []).filter(isBot);
}

function changeOf(
  state: OrganizationState,
  after: ReadonlyMap<UserId, User>,
  given: { before: User | undefined; bot: User; people: readonly [User, User][]; hasNewKey: boolean },
): BotChange {
  const { before, bot, people, hasNewKey } = given;
  if (!before) {
    return { bot, added: managersAfter(state, after, bot), removed: [], kept: [], fields: [] };
  }
  if (before === bot && !hasNewKey) {
    // Only people changed: the others see the bot as before.
    const could = people.filter(([person]) => canManageBot(person, bot)).map(([{ id }]) => id);
    const can = people.filter(([, person]) => canManageBot(person, bot)).map(([, { id }]) => id);
    return { bot, ...difference(could, can), kept: [], fields: [] };
  }
  const could = managers([...state.get(users).all()], before);
  const can = managersAfter(state, after, bot);
  return { bot, ...difference(could, can), fields: changedFields(state, before, bot, hasNewKey) };
}

function changedFields(state: OrganizationState, before: User, bot: User, hasNewKey: boolean): Field[] {
  return [
    ...(before.fullName === bot.fullName ? [] : (["full_name"] as const)),
    ...(before.email === bot.email ? [] : (["email"] as const)),
    ...(isSamePicture(state, before, bot) ? [] : (["avatar_url"] as const)),
    ...(before.botOwnerId === bot.botOwnerId ? [] : (["owner_id"] as const)),
    ...(before.isActive === bot.isActive ? [] : (["is_active"] as const)),
    ...(hasNewKey ? (["api_key"] as const) : []),
  ];
}

function difference(before: readonly UserId[], after: readonly UserId[]) {
  return {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
    kept: after.filter((id) => before.includes(id)),
  };
}

function managers(people: readonly User[], bot: User): UserId[] {
  return people.filter((person) => canManageBot(person, bot)).map(({ id }) => id);
}

function managersAfter(state: OrganizationState, after: ReadonlyMap<UserId, User>, bot: User): UserId[] {
  return managers(
    [...state.get(users).all()].map((person) => after.get(person.id) ?? person),
    bot,
  );
}

async function botsOfRenamed(tx: Change, patches: Parameters<BeforeCommitHook["run"]>[1]): Promise<UserId[]> {
  const { byId } = tx.state.get(channels);
  const renamed = patchesOf(patches, channels)
    .flatMap(({ put }) => put)
    .filter(({ id, name }) => byId.has(id) && byId.get(id)?.name !== name)
    .map(({ id }) => id);
  return renamed.length === 0 ? [] : listBotsOfChannels(tx, tx.state.organizationId, renamed);
}

async function appendChanges(tx: Change, changes: readonly BotChange[]): Promise<void> {
  const isFelt = ({ added, removed, kept, fields }: BotChange) =>
    added.length > 0 || removed.length > 0 || (kept.length > 0 && fields.length > 0);
  const felt = changes.filter(isFelt);
  const details = await readDetails(
    tx.state,
    tx,
    felt.map(({ bot }) => bot.id),
  );
  for (const { bot, added, removed, kept, fields } of felt) {
    const ofBot = details.get(bot.id);
    if (ofBot && kept.length > 0 && fields.length > 0) appendUpdate(tx, bot, ofBot, fields, kept);
    if (ofBot && added.length > 0) {
      tx.append(storedAdded, { bot: { user_id: bot.id }, details: store(ofBot) }, toUsers(added));
    }
    if (removed.length > 0) tx.append(botRemoved, { bot: { user_id: bot.id } }, toUsers(removed));
  }
}

function appendUpdate(
  tx: Change,
  bot: User,
  details: BotDetails,
  fields: readonly Field[],
  readers: readonly UserId[],
): void {
  tx.append(storedUpdated, { bot: { user_id: bot.id }, fields, details: store(details) }, toUsers(readers));
}

function store({ apiKeyEncrypted, tokenEncrypted, ...row }: BotDetails): StoredBot["details"] {
  return {
    ...row,
    apiKey: apiKeyEncrypted.toString("base64"),
    token: tokenEncrypted?.toString("base64") ?? null,
  };
}

/**
 * A reader who may no longer manage the bot gets nothing of it but its removal. In a session, an update of
 * the key alone has only the bot's ID.
 */
export function botSerializer(keyring: Keyring) {
  return serializerOf(storedEvent<StoredBot>()(botAdded), (state, entry, { op, ...stored }, queue) => {
    if (op === botRemoved.op) return asAppended(entry);
    const all = state.get(users);
    const reader = all.byId.get(queue.userId);
    const bot = all.byId.get(stored.bot.user_id);
    if (!reader || !bot || !canManageBot(reader, bot)) return undefined;
    const seesKeys = queue.isOfApiKey;
    const as = { user: reader, seesKeys };
    const record = () => presentBot(state, keyring, as, bot, restore(stored.details));
    const key = `reader ${reader.id}${seesKeys ? " with keys" : ""}`;
    const { fields } = stored;
    if (!fields) return rareVariant(entry, key, botAdded, () => ({ bot: record() }));
    return rareVariant(entry, key, botUpdated, () => {
      const whole = record();
      const changed = Object.fromEntries(fields.map((field) => [field, whole[field]]));
      return { bot: { user_id: bot.id, ...changed } };
    });
  });
}

function restore({ apiKey, token, ...row }: StoredBot["details"]): BotDetails {
  return {
    ...row,
    apiKeyEncrypted: Buffer.from(apiKey, "base64"),
    tokenEncrypted: token === null ? null : Buffer.from(token, "base64"),
  };
}
