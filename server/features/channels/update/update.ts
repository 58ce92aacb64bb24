import { ApiError, errors } from "../../../../api/errors.ts";
import type { Change } from "../../../platform/log/change.ts";
import type { EventPayload, StatePatch } from "../../../platform/log/log-entry.ts";
import type { Viewer } from "../../users/viewer.ts";
import { accessChannelToChange } from "../access.ts";
import type { Channel } from "../channel.ts";
import { listFolders } from "../folders/store.ts";
import type { ChannelNotices } from "../notices.ts";
import { listDefaultChannelIds, updateChannelRow } from "../store.ts";
import { toNonGuests, toThoseWhoSee } from "../visibility/audiences.ts";
import { announceArchived, announceReturned } from "./archived.ts";
import { changedPermissions, isPrivacyChanged, presentChanges } from "./changes.ts";
import { hasNamedTopics } from "./named-topics.ts";
import { type ChannelChangeRequest, parseChannelChange } from "./request.ts";

/**
 * Changes a channel as asked (spec E3), all of it or, by an error, nothing. Whoever may know of it hears of each property
 * that is different; to those who get to know of it by this, or no more, that is told as a consequence of the change.
 */
export async function updateChannel(
  tx: Change,
  viewer: Viewer,
  id: number,
  request: ChannelChangeRequest,
  notices: ChannelNotices,
): Promise<void> {
  const before = accessChannelToChange(viewer, id);
  const after = await parseChannelChange(tx, viewer, before, request);
  await changeChannel(tx, before, after);
  await post(tx, viewer, { before, after, notices });
}

/**
 * Archives a channel: it takes no messages and no subscribers any more. Clients that know of archived channels hear that it
 * is one, to the others it is gone. Nobody new will be subscribed to it.
 */
export async function archiveChannel(
  tx: Change,
  viewer: Viewer,
  id: number,
  notices: ChannelNotices,
): Promise<void> {
  const before = accessChannelToChange(viewer, id);
  if (before.isArchived) throw new ApiError(errors.channelAlreadyArchived);
  const after = { ...before, isArchived: true, isDefault: false };
  await changeChannel(tx, before, after);
  await notices.archived(tx, viewer, after);
}

/** Writes what is different and tells it. Nothing is checked here but what other channels and messages forbid. */
export async function changeChannel(tx: Change, before: Channel, after: Channel): Promise<void> {
  const { state } = tx;
  const changes = presentChanges(state, before, after);
  if (changes.length === 0 && after.isDefault === before.isDefault) return;
  if (!(await updateChannelRow(tx, state.organizationId, after))) {
    throw new ApiError(errors.channelNameTaken, { name: after.name });
  }
  // The first entry changes the memory, and so decides who hears the others.
  const { id, isPrivate, isWebPublic } = before;
  const privacy = isPrivacyChanged(before, after) && { before: { id, isPrivate, isWebPublic } };
  let statePatch: StatePatch | undefined = { channels: { put: [after], ...privacy } };
  let name = before.name;
  for (const change of changes) {
    const payload: EventPayload = { type: "stream", op: "update", stream_id: after.id, name, ...change };
    const clients = change.property === "is_archived" ? "with-archived" : undefined;
    tx.appendRaw(payload, toThoseWhoSee(after.id, clients), statePatch);
    statePatch = undefined;
    if (change.property === "name") name = after.name;
  }
  if (after.isDefault !== before.isDefault) {
    const defaults = await listDefaultChannelIds(tx, state.organizationId);
    tx.appendRaw({ type: "default_streams", default_streams: defaults }, toNonGuests, statePatch);
  }
  if (after.isArchived && !before.isArchived) announceArchived(tx, after);
  if (!after.isArchived && before.isArchived) await announceReturned(tx, after);
  if (after.topicsPolicy === "empty_topic_only" && before.topicsPolicy !== after.topicsPolicy) {
    checkTopicsAtCommit(tx, after);
  }
}

/** Under the log's lock, so that no message in a named topic can come between the look and the policy. */
function checkTopicsAtCommit(change: Change, channel: Channel): void {
  change.appendRows({
    count: 0,
    async write(tx) {
      if (await hasNamedTopics(tx, change.state.organizationId, channel.id)) {
        throw new ApiError(errors.channelHasNamedTopics);
      }
      return [];
    },
  });
}

async function post(
  tx: Change,
  viewer: Viewer,
  { before, after, notices }: { before: Channel; after: Channel; notices: ChannelNotices },
): Promise<void> {
  if (before.isArchived && !after.isArchived) await notices.unarchived(tx, viewer, after);
  if (before.name !== after.name) await notices.channelRenamed(tx, viewer, after, before.name);
  if (before.description !== after.description) {
    await notices.descriptionChanged(tx, viewer, after, before.description);
  }
  if (isPrivacyChanged(before, after)) await notices.privacyChanged(tx, viewer, after, before);
  if (before.messageRetentionDays !== after.messageRetentionDays) {
    await notices.retentionChanged(tx, viewer, after, before);
  }
  if (before.topicsPolicy !== after.topicsPolicy)
    await notices.topicsPolicyChanged(tx, viewer, after, before);
  if (before.folderId !== after.folderId) {
    const folders = await listFolders(tx, tx.state.organizationId);
    const nameOf = (id: Channel["folderId"]) => folders.find((folder) => folder.id === id)?.name ?? null;
    await notices.folderChanged(tx, viewer, after, {
      from: nameOf(before.folderId),
      to: nameOf(after.folderId),
    });
  }
  for (const change of changedPermissions(tx.state, before, after)) {
    await notices.permissionChanged(tx, viewer, after, change);
  }
}
