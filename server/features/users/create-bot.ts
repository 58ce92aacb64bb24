import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Change } from "../../platform/log/change.ts";
import { organization } from "../organization/organization.ts";
import { createUser } from "./actions.ts";
import { GENERIC_BOT, type User } from "./user.ts";

export interface NewBot {
  /** The part of its address that tells it from other bots. */
  shortName: string;
  fullName: string;
  /** An active person. */
  owner: User;
}

/**
 * Makes a generic bot with an API key, and announces it to everyone. It joins no channels. Throws
 * `invalidEmail` for a short name that makes no address, and what `createUser` throws.
 */
export function createBot(
  tx: Change,
  keyring: Keyring,
  { shortName, fullName, owner }: NewBot,
): Promise<User> {
  return createUser(tx, keyring, {
    email: `${parseShortName(shortName)}-bot@${tx.state.get(organization).host}`,
    fullName,
    role: roles.member,
    passwordHash: null,
    botType: GENERIC_BOT,
    botOwnerId: owner.id,
  });
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
