import type { AuditAction } from "../../../api/administration/audit-log.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { findAlike } from "../../../api/name-likeness.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { accessChannelToChange } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { appendChannelUpdated, appendDefaultChannels } from "../events.ts";
import { hasNamedTopics } from "../history/message-store.ts";
import { updateChannelRow } from "../store.ts";
import { toThoseWhoSee } from "../visibility/audiences.ts";
import { announceArchived, announceReturned } from "./archived.ts";
import { auditedChanges, isPrivacyChanged, presentChanges } from "./changes.ts";
import { type ChannelChangeRequest, parseChannelChange } from "./request.ts";

/**
 * Changes a channel as asked (spec E3): all of it or, on an error, nothing. Users who may know of the
 * channel get an event for each changed property. A before-commit hook appends events for the users who
 * gain or lose it.
 */
export async function updateChannel(
  tx: ViewerChange,
  id: number,
  request: ChannelChangeRequest,
): Promise<void> {
  const before = accessChannelToChange(tx.viewer, id);
  await changeChannel(tx, before, await parseChannelChange(tx, before, request));
}

/**
 * Archives a channel: it takes no messages and is no longer a default channel. Clients with
 * `archived_channels` get the new property; for other clients it is deleted.
 */
export async function archiveChannel(tx: ViewerChange, id: number): Promise<void> {
  const before = accessChannelToChange(tx.viewer, id);
  if (before.isArchived) throw new ApiError(errors.channelAlreadyArchived);
  await changeChannel(tx, before, { ...before, isArchived: true, isDefault: false });
}

function othersThan(state: OrganizationState, { id }: Channel): Channel[] {
  return [...state.get(channels).all()].filter((each) => each.id !== id);
}

/**
 * Writes the changed properties and appends their events. It checks only conflicts with other channels
 * and with messages.
 */
export async function changeChannel(tx: Change, before: Channel, after: Channel): Promise<void> {
  const { state } = tx;
  const changes = presentChanges(state, before, after);
  if (changes.length === 0 && after.isDefault === before.isDefault) return;
  const isLikeAnother = after.name !== before.name && findAlike(othersThan(state, before), after.name);
  if (isLikeAnother || !(await updateChannelRow(tx, state.organizationId, after))) {
    throw new ApiError(errors.channelNameTaken, { name: after.name });
  }
  // The first entry changes the memory, and that decides who gets the others.
  const { id, isPrivate, isWebPublic } = before;
  const privacy = isPrivacyChanged(before, after) && { before: { id, isPrivate, isWebPublic } };
  let patches = [patchOf(channels, { put: [after], ...privacy })];
  let name = before.name;
  for (const change of changes) {
    const clients = change.property === "is_archived" ? "with-archived" : undefined;
    appendChannelUpdated(tx, { id, name }, change, toThoseWhoSee(id, clients), ...patches);
    patches = [];
    if (change.property === "name") name = after.name;
  }
  if (after.isDefault !== before.isDefault) await appendDefaultChannels(tx, ...patches);
  if (after.isArchived && !before.isArchived) announceArchived(tx, after);
  if (!after.isArchived && before.isArchived) await announceReturned(tx, after);
  if (after.topicsPolicy === "empty_topic_only" && before.topicsPolicy !== after.topicsPolicy) {
    checkTopicsAtCommit(tx, after);
  }
  await recordAudit(tx, {
    action: auditActionOf(before, after),
    targetId: id,
    changes: auditedChanges(state, before, after),
  });
}

function auditActionOf(before: Channel, after: Channel): AuditAction {
  if (before.isArchived === after.isArchived) return "channel_updated";
  return after.isArchived ? "channel_archived" : "channel_unarchived";
}

/**
 * LOCK: under the log's lock, so that no message in a named topic can come between the check and the
 * policy.
 */
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
