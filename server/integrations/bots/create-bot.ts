import { ApiError, errors } from "../../../api/errors.ts";
import { botTypes, interfaceTypes } from "../../../api/integrations/bots.ts";
import { MAX_BOTS, MAX_BOTS_OF_ORGANIZATION } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { organization } from "../../organization/organization.ts";
import { createUser } from "../../people/actions.ts";
import { type User, users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { checkMayCreate, isBot } from "./access.ts";
import { plainBot } from "./details.ts";
import { parsePayloadUrl } from "./payload-url.ts";
import { type BotRow, upsertBot } from "./store.ts";

export interface NewBot {
  /** The part of its address that tells it from other bots. */
  shortName: string;
  fullName: string;
  /** An active person. */
  owner: User;
  /** A generic one by default. */
  botType?: number | undefined;
  /** What the server calls for an outgoing webhook bot. */
  payloadUrl?: string | undefined;
  interface?: number | undefined;
  serviceName?: string | undefined;
  config?: BotRow["config"] | undefined;
  defaults?: Partial<BotRow> | undefined;
  /** The name of the files of an uploaded picture, which are stored already. */
  avatarFile?: string | undefined;
}

/**
 * Makes a bot with an API key, and announces it to everyone. It joins no channels. Throws `invalidEmail` for
 * a short name that makes no address, `missingParameter` for an outgoing webhook bot without an address,
 * `personalLimit`, `tooManyInOrganization`, and what `createUser` throws.
 */
export async function createBot(tx: Change, keyring: Keyring, given: NewBot): Promise<User> {
  const { shortName, fullName, owner, botType = botTypes.generic } = given;
  const row: BotRow = {
    ...plainBot,
    ...given.defaults,
    config: given.config ?? {},
    serviceName: given.serviceName ?? null,
    ...(botType === botTypes.outgoingWebhook ? newService(keyring, given) : undefined),
  };
  checkBotLimits(tx.state, owner);
  const bot = await createUser(tx, keyring, {
    email: `${parseShortName(shortName)}-bot@${tx.state.get(organization).host}`,
    fullName,
    // Nobody gets a member's rights by making a bot.
    role: owner.role >= roles.guest ? owner.role : roles.member,
    passwordHash: null,
    botType,
    botOwnerId: owner.id,
    avatarFile: given.avatarFile,
  });
  await upsertBot(tx, tx.state.organizationId, bot.id, row);
  return bot;
}

function newService(keyring: Keyring, given: NewBot): Partial<BotRow> {
  if (given.payloadUrl === undefined) throw new ApiError(errors.missingParameter, { name: "payload_url" });
  return {
    payloadUrl: parsePayloadUrl("payload_url", given.payloadUrl),
    interface: given.interface ?? interfaceTypes.generic,
    serviceName: given.serviceName ?? given.shortName,
    tokenEncrypted: keyring.encrypt(keyring.newApiKey()),
  };
}

/** Throws `personalLimit` or `tooManyInOrganization` if this person can't have one more active bot. */
export function checkBotLimits(state: OrganizationState, owner: User | undefined): void {
  const active = [...state.get(users).all()].filter((user) => user.isActive && isBot(user));
  if (active.length >= MAX_BOTS_OF_ORGANIZATION) {
    throw new ApiError(errors.tooManyInOrganization, { what: "bots", limit: MAX_BOTS_OF_ORGANIZATION });
  }
  if (owner && active.filter(({ botOwnerId }) => botOwnerId === owner.id).length >= MAX_BOTS) {
    throw new ApiError(errors.personalLimit, { what: "active bots", limit: MAX_BOTS });
  }
}

/** Throws if the viewer could not make the deactivated bot now, or its owner can't have one more. */
export function checkBotReturns({ state, viewer }: ViewerChange, bot: User): void {
  checkMayCreate(viewer, bot.botType ?? botTypes.generic);
  checkBotLimits(state, bot.botOwnerId === null ? undefined : state.get(users).find(bot.botOwnerId));
}

/** The first part of a bot's address. The characters are those that need no quotes in an address. */
export function parseShortName(text: string): string {
  const name = text.trim();
  if (!/^[a-z\d]+(?:[._+-][a-z\d]+)*$/i.test(name) || name.length > MAX_SHORT_NAME_LENGTH)
    throw new ApiError(errors.invalidEmail);
  return name;
}

/** The most characters before the @ of an address, without "-bot". */
const MAX_SHORT_NAME_LENGTH = 60;
