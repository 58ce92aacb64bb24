/** The records of folders, channels and subscriptions, as docs/exports.md describes them. */

import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Channel } from "../channel.ts";
import { type Folder, listFolders } from "../folders/store.ts";
import { listCurrentSubscriptions, listEndedSubscriptions } from "./store.ts";

/** People whose ended subscriptions are read at once. */
const PEOPLE_AT_ONCE = 200;

export async function* folderRecords(state: OrganizationState): AsyncGenerator<object> {
  const folders = await read(state, (tx) => listFolders(tx, state.organizationId));
  yield* folders.map(folderRecord);
}

export function* channelRecords(included: readonly Channel[]): Generator<object> {
  for (const channel of included) yield channelRecord(channel);
}

export async function* subscriptionRecords(
  state: OrganizationState,
  included: readonly Channel[],
): AsyncGenerator<object> {
  for (const { id } of included) {
    const rows = await read(state, (tx) => listCurrentSubscriptions(tx, state.organizationId, id));
    for (const { userId, since } of rows) yield { channel_id: id, user_id: userId, since };
  }
}

export async function* endedSubscriptionRecords(
  state: OrganizationState,
  included: readonly Channel[],
): AsyncGenerator<object> {
  const channelIds = included.map(({ id }) => id);
  const people = [...state.get(users).byId.keys()];
  for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE) {
    const some = people.slice(start, start + PEOPLE_AT_ONCE);
    const rows = await read(state, (tx) =>
      listEndedSubscriptions(tx, state.organizationId, channelIds, some),
    );
    for (const { channelId, userId, since, until } of rows) {
      yield { channel_id: channelId, user_id: userId, since, until };
    }
  }
}

function read<T>({ database }: OrganizationState, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(work, { lane: "background" });
}

function folderRecord(folder: Folder) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    creator_id: folder.creatorId,
    date_created: Math.floor(folder.createdAt.getTime() / 1000),
    order: folder.order,
    is_archived: folder.archivedAt !== null,
  };
}

function channelRecord(channel: Channel) {
  return {
    id: channel.id,
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_shared: channel.isHistoryShared,
    is_default: channel.isDefault,
    is_archived: channel.isArchived,
    topics_policy: channel.topicsPolicy,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    creator_id: channel.creatorId,
    date_created: channel.createdAt,
    group_settings: channel.groupSettings,
  };
}
