import { isDeepStrictEqual } from "node:util";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId } from "../../../api/ids.ts";
import { botTypes, interfaceTypes } from "../../../api/integrations/bots.ts";
import { MAX_BOT_CONFIG_ENTRIES } from "../../../api/limits.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { accessChannelByName } from "../../channels/access.ts";
import { replaceAvatar } from "../../content/avatars/actions.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { parseFreeName } from "../../people/free-name.ts";
import { avatarUrl } from "../../people/pictures/picture.ts";
import { changeAccount } from "../../people/update/update-user.ts";
import { type User, users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator, checkOwner } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { accessBotToManage } from "./access.ts";
import { checkBotLimits } from "./create-bot.ts";
import { readBotRow } from "./details.ts";
import { announceRow } from "./events.ts";
import { parsePayloadUrl } from "./payload-url.ts";
import { type BotRow, upsertBot } from "./store.ts";

/** What is undefined stays as it is. */
export interface BotUpdate {
  fullName?: string | undefined;
  role?: Role | undefined;
  botOwnerId?: number | undefined;
  servicePayloadUrl?: string | undefined;
  serviceInterface?: number | undefined;
  configData?: BotRow["config"] | undefined;
  /** Names of channels; an empty text for none. */
  defaultSendingStream?: string | undefined;
  defaultEventsRegisterStream?: string | undefined;
  defaultAllPublicStreams?: boolean | undefined;
  /** The name of the files of an uploaded picture, which are stored already. */
  avatarFile?: string | undefined;
}

/**
 * Changes a bot that the viewer may manage, and returns it with its row. Everyone gets an event for another
 * name, role or owner. The bot's owner and administrators get one for each change of the bot. Throws what
 * `accessBotToManage` throws, and an error of what is given.
 */
export async function updateBot(
  tx: ViewerChange,
  keyring: Keyring,
  id: number,
  update: BotUpdate,
): Promise<{ bot: User; row: BotRow }> {
  const target = accessBotToManage(tx.viewer, id);
  const before = await readBotRow(tx.state, tx, target.id);
  const next: User = {
    ...target,
    fullName:
      update.fullName === undefined ? target.fullName : parseFreeName(tx.state, update.fullName, target),
    role: update.role === undefined ? target.role : parseRole(tx.viewer, target, update.role),
    botOwnerId:
      update.botOwnerId === undefined ? target.botOwnerId : parseOwner(tx, target, update.botOwnerId),
  };
  const row: BotRow = {
    ...before,
    ...parseDefaults(tx.viewer, update),
    ...parseService(keyring, target, before, update),
    config: parseConfig(before, update.configData),
  };
  const account = await changeAccount(tx, target, next);
  const { avatarFile } = update;
  const bot = avatarFile === undefined ? account : await changePicture(tx, account, avatarFile);
  if (!isDeepStrictEqual(row, before)) {
    await upsertBot(tx, tx.state.organizationId, bot.id, row);
    const fields = changedFields(before, row);
    if (fields.length > 0) await announceRow(tx, bot, fields);
    const changes = changesBetween(auditFields(before), auditFields(row));
    await recordAudit(tx, { action: "bot_updated", targetId: bot.id, changes });
  }
  return { bot, row };
}

async function changePicture(tx: ViewerChange, bot: User, avatarFile: string): Promise<User> {
  const next = await replaceAvatar(tx, bot, avatarFile);
  const urlOf = (user: User) => ({ avatar_url: avatarUrl(tx.state, user, false) });
  const changes = changesBetween(urlOf(bot), urlOf(next));
  await recordAudit(tx, { action: "bot_updated", targetId: bot.id, changes });
  return next;
}

/** The fields of the bot's event that differ. Settings of a program are in no event. */
function changedFields(before: BotRow, after: BotRow) {
  const isServiceChanged = before.payloadUrl !== after.payloadUrl || before.interface !== after.interface;
  return [
    ...(before.defaultSendingChannelId === after.defaultSendingChannelId
      ? []
      : (["default_sending_stream"] as const)),
    ...(before.defaultEventsChannelId === after.defaultEventsChannelId
      ? []
      : (["default_events_register_stream"] as const)),
    ...(before.defaultAllPublicChannels === after.defaultAllPublicChannels
      ? []
      : (["default_all_public_streams"] as const)),
    ...(isServiceChanged ? (["services"] as const) : []),
  ];
}

/** Only administrators give roles, and only owners the role of an owner, or another role to such a bot. */
function parseRole(viewer: Viewer, target: User, role: Role): Role {
  if (role === target.role) return role;
  checkAdministrator(viewer);
  if (role === roles.owner || target.role === roles.owner) checkOwner(viewer);
  return role;
}

function parseOwner({ state, viewer }: ViewerChange, target: User, ownerId: number): User["id"] {
  const owner = state.get(users).findManaged(ownerId);
  if (!owner) throw new ApiError(errors.noSuchNewOwner);
  if (owner.botType !== null) throw new ApiError(errors.newOwnerIsBot);
  if (!owner.isActive) throw new ApiError(errors.newOwnerDeactivated);
  if (owner.id === target.botOwnerId) return owner.id;
  // A guest makes no bots, and a bot must not give its owner rights that guests don't have.
  if (owner.role >= roles.guest) throw new ApiError(errors.insufficientPermission);
  // With the bot's key its owner has the bot's role.
  if (target.role < owner.role) checkAdministrator(viewer);
  if (target.isActive) checkBotLimits(state, owner);
  return owner.id;
}

/** The channels that a new or changed bot has as defaults. Throws `noChannelOfThatName`. */
export function parseDefaults(
  viewer: Viewer,
  update: Pick<BotUpdate, "defaultSendingStream" | "defaultEventsRegisterStream" | "defaultAllPublicStreams">,
): Partial<BotRow> {
  const { defaultSendingStream, defaultEventsRegisterStream, defaultAllPublicStreams } = update;
  const idOf = (name: string): ChannelId | null =>
    name === "" ? null : accessChannelByName(viewer, name).id;
  return {
    ...(defaultSendingStream !== undefined && { defaultSendingChannelId: idOf(defaultSendingStream) }),
    ...(defaultEventsRegisterStream !== undefined && {
      defaultEventsChannelId: idOf(defaultEventsRegisterStream),
    }),
    ...(defaultAllPublicStreams !== undefined && { defaultAllPublicChannels: defaultAllPublicStreams }),
  };
}

function parseService(
  keyring: Keyring,
  target: User,
  before: BotRow,
  { servicePayloadUrl, serviceInterface }: BotUpdate,
): Partial<BotRow> {
  if (servicePayloadUrl === undefined) return {};
  if (target.botType !== botTypes.outgoingWebhook) throw new ApiError(errors.noServiceToChange);
  return {
    payloadUrl: parsePayloadUrl("service_payload_url", servicePayloadUrl),
    interface: serviceInterface ?? interfaceTypes.generic,
    tokenEncrypted: before.tokenEncrypted ?? keyring.encrypt(keyring.newApiKey()),
  };
}

function parseConfig({ config }: BotRow, given: BotRow["config"] | undefined): BotRow["config"] {
  const next = { ...config, ...given };
  if (Object.keys(next).length > MAX_BOT_CONFIG_ENTRIES) {
    throw new ApiError(errors.tooMuchBotConfig, { limit: MAX_BOT_CONFIG_ENTRIES });
  }
  return next;
}

/** Addresses and settings of a program may hold secrets, so only their names and the host are recorded. */
function auditFields(row: BotRow) {
  return {
    default_sending_stream_id: row.defaultSendingChannelId,
    default_events_register_stream_id: row.defaultEventsChannelId,
    default_all_public_streams: row.defaultAllPublicChannels,
    service_host: row.payloadUrl === null ? undefined : new URL(row.payloadUrl).host,
    service_interface: row.interface,
    config_names: Object.keys(row.config),
  };
}
