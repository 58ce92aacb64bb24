/** What people chose for single channels about mail, for the modules that send it. */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { listMailChoices } from "./preference-store.ts";

/** What somebody chose for one channel, as far as it concerns mail. */
export interface MailChoice {
  userId: UserId;
  channelId: ChannelId;
  /** Whether they get its messages by mail. null: as in all channels. */
  email: boolean | null;
  /** Whether mentions of everyone notify. null: as in all channels. */
  wildcard: boolean | null;
}

/** The choices of everybody, or of one person, for these channels. Most people have none. */
export function findMailChoices(
  state: OrganizationState,
  tx: Queryable,
  channelIds: readonly ChannelId[],
  userId?: UserId,
): Promise<MailChoice[]> {
  return listMailChoices(tx, state.organizationId, channelIds, userId);
}
