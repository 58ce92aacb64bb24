/**
 * Channels and subscriptions of another chat, for an organization that nobody can load yet. They make no
 * events.
 */
import type { ChannelId, FolderId, OrganizationId, UserId } from "../../api/ids.ts";
import { renderDescription } from "../organization/description.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { Channel } from "./channel.ts";
import { checkPrivacy } from "./create/create.ts";
import {
  deletePastSubscriptions,
  insertPastChannels,
  insertPastFolders,
  insertPastPreferences,
  insertPastSubscriptions,
} from "./past-store.ts";
import type { PreferencesRow } from "./store.ts";

/** The names are checked by `parseChannelName`, and no two are alike. */
export interface PastChannel extends Omit<Channel, "id" | "createdAt" | "renderedDescription"> {
  createdAt: Date;
}

export interface PastFolder {
  name: string;
  description: string;
  creatorId: UserId | null;
  order: number;
  isArchived: boolean;
}

/** A stretch of a subscription: the person received the messages with ids between these two. */
export interface PastInterval {
  channelId: ChannelId;
  userId: UserId;
  after: number;
  /** null: the subscription lasts. A person has one such in a channel at most. */
  before: number | null;
}

export type PastPreferences = PreferencesRow;

/** Returns the ids in the same order. */
export function addPastFolders(
  tx: Queryable,
  organizationId: OrganizationId,
  folders: readonly PastFolder[],
): Promise<FolderId[]> {
  const rows = folders.map((each) => ({ ...each, renderedDescription: renderDescription(each.description) }));
  return insertPastFolders(tx, organizationId, rows);
}

/** Returns the ids in the same order. Throws for settings that contradict each other. */
export function addPastChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  channels: readonly PastChannel[],
): Promise<ChannelId[]> {
  for (const channel of channels) checkPrivacy(channel);
  const rows = channels.map((each) => ({
    ...each,
    renderedDescription: renderDescription(each.description),
  }));
  return insertPastChannels(tx, organizationId, rows);
}

/** Forgets the subscriptions of an import that was interrupted, which writes them again. */
export function forgetPastSubscriptions(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  return deletePastSubscriptions(tx, organizationId);
}

export function addPastSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  intervals: readonly PastInterval[],
): Promise<void> {
  return insertPastSubscriptions(tx, organizationId, intervals);
}

export function addPastPreferences(
  tx: Queryable,
  organizationId: OrganizationId,
  preferences: readonly PastPreferences[],
): Promise<void> {
  return insertPastPreferences(tx, organizationId, preferences);
}
