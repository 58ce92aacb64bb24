import { ApiError, errors } from "../../../api/errors.ts";
import type { FolderId } from "../../../api/ids.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from "../../../api/limits.ts";
import { findAlike } from "../../../api/name-likeness.ts";
import type { GroupValue } from "../../groups/group.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { renderDescription } from "../../organization/description.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { type Channel, channels, type TopicsPolicy } from "../channel.ts";
import { appendChannelsCreated, appendDefaultChannels } from "../events.ts";
import { noHistory } from "../history/history.ts";
import { parseChannelName, parseDescription } from "../names.ts";
import { presentChannel } from "../present.ts";
import { insertChannel } from "../store.ts";
import { auditedProperties } from "../update/changes.ts";
import { toThoseWhoSee } from "../visibility/audiences.ts";

export interface NewChannel {
  name: string;
  description?: string;
  isPrivate?: boolean;
  isWebPublic?: boolean;
  /** By default only a private channel keeps from its subscribers what was sent before they came. */
  isHistoryShared?: boolean;
  isDefault?: boolean;
  topicsPolicy?: TopicsPolicy;
  messageRetentionDays?: number | null;
  folderId?: FolderId | null;
  /** Checked values (see `parseChannelPermissions`). */
  groupSettings?: Record<string, GroupValue>;
}

/**
 * Makes a channel without subscribers, in the name of `tx.viewer`; the caller checks whether the viewer
 * may. Users who may know of the channel get an event now, others when they are subscribed. Throws for a
 * name that is in use, by an archived channel too, and for a privacy that contradicts itself.
 */
export async function createChannel(tx: ViewerChange, request: NewChannel): Promise<Channel> {
  const { state, viewer } = tx;
  const name = parseChannelName(request.name);
  if (findAlike(state.get(channels).all(), name)) throw new ApiError(errors.channelNameTaken, { name });
  const description = parseDescription(request.description ?? "", MAX_CHANNEL_DESCRIPTION_LENGTH);
  const channel = await insertChannel(tx, state.organizationId, {
    name,
    description,
    renderedDescription: renderDescription(description),
    ...parsePrivacy(request),
    topicsPolicy: request.topicsPolicy ?? "inherit",
    messageRetentionDays: request.messageRetentionDays ?? null,
    folderId: request.folderId ?? null,
    creatorId: viewer.user.id,
    groupSettings: request.groupSettings ?? {},
  });
  // Names that differ in JavaScript and are equal in the database end up here.
  if (!channel) throw new ApiError(errors.channelNameTaken, { name });
  const shown = presentChannel(state, channel, { history: noHistory, subscriberCount: 0 });
  appendChannelsCreated(tx, [shown], toThoseWhoSee(channel.id), patchOf(channels, { put: [channel] }));
  if (channel.isDefault) await appendDefaultChannels(tx);
  const changes = changesBetween({}, { ...auditedProperties(channel), ...channel.groupSettings });
  await recordAudit(tx, { action: "channel_created", targetId: channel.id, changes });
  return channel;
}

function parsePrivacy(
  request: NewChannel,
): Pick<Channel, "isPrivate" | "isWebPublic" | "isHistoryShared" | "isDefault"> {
  const { isPrivate = false, isWebPublic = false, isDefault = false } = request;
  const privacy = {
    isPrivate,
    isWebPublic,
    isHistoryShared: request.isHistoryShared ?? !isPrivate,
    isDefault,
  };
  checkPrivacy(privacy);
  return privacy;
}

/**
 * Throws for settings that contradict each other: who may see a channel, what of it, and whether new
 * users are subscribed.
 */
export function checkPrivacy(
  channel: Pick<Channel, "isPrivate" | "isWebPublic" | "isHistoryShared" | "isDefault">,
): void {
  const { isPrivate, isWebPublic, isHistoryShared, isDefault } = channel;
  if (isPrivate && isWebPublic) throw new ApiError(errors.invalidChannelPrivacy);
  if (!isPrivate && !isHistoryShared) throw new ApiError(errors.invalidChannelPrivacy);
  if (isPrivate && isDefault) throw new ApiError(errors.privateDefaultChannel);
}
