/** What belongs to a bot beside its account, with the defaults of a bot that has no row. */
import type { UserId } from "../../../api/ids.ts";
import { listSealedApiKeys } from "../../people/credentials.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type BotRow, listBotRows } from "./store.ts";

/** What the server calls for a bot. */
export interface Service {
  url: string;
  interface: number;
  token: string;
}

/** A bot's row and its key. Both secrets are encrypted. */
export interface BotDetails extends BotRow {
  apiKeyEncrypted: Buffer;
}

export const plainBot: BotRow = {
  defaultSendingChannelId: null,
  defaultEventsChannelId: null,
  defaultAllPublicChannels: false,
  config: {},
  serviceName: null,
  payloadUrl: null,
  interface: 1,
  tokenEncrypted: null,
};

/** The details of these bots, by bot. */
export async function readDetails(
  { organizationId }: Pick<OrganizationState, "organizationId">,
  tx: Queryable,
  userIds: readonly UserId[],
): Promise<Map<UserId, BotDetails>> {
  if (userIds.length === 0) return new Map();
  const [bots, keys] = await Promise.all([
    listBotRows(tx, organizationId, userIds),
    listSealedApiKeys(tx, organizationId, userIds),
  ]);
  const rows = new Map(bots.map(({ userId, ...row }) => [userId, row]));
  return new Map(
    keys.map(({ userId, key }) => [userId, { ...(rows.get(userId) ?? plainBot), apiKeyEncrypted: key }]),
  );
}

/** The row of one bot. */
export async function readBotRow(
  { organizationId }: Pick<OrganizationState, "organizationId">,
  tx: Queryable,
  userId: UserId,
): Promise<BotRow> {
  const [row] = await listBotRows(tx, organizationId, [userId]);
  if (!row) return plainBot;
  const { userId: _, ...rest } = row;
  return rest;
}

/** What the server calls for a bot with this row; undefined for a bot without that. */
export function serviceOf(
  keyring: Keyring,
  { payloadUrl, interface: form, tokenEncrypted }: BotRow,
): Service | undefined {
  if (payloadUrl === null || tokenEncrypted === null) return undefined;
  return { url: payloadUrl, interface: form, token: keyring.decrypt(tokenEncrypted) };
}
