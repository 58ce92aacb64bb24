import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import {
  type ChannelPermission,
  channelPermissionList,
  channelPermissions,
} from "../../../api/channels/channel-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import type { GroupValue } from "../../groups/group.ts";
import {
  type GroupValueChange,
  isSameGroupValue,
  parseGroupSettingUpdate,
} from "../../groups/group-value.ts";
import { renderDescription } from "../../organization/description.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import { canReadChannel } from "../access.ts";
import type { Channel, TopicsPolicy } from "../channel.ts";
import { checkPrivacy } from "../create/create.ts";
import { checkKind, checkPermission, type NewChannelSettings, parseRetention } from "../create/request.ts";
import { accessFolder } from "../folders/actions.ts";
import { checkModerationChannelStaysPrivate } from "../moderation-channel.ts";
import { parseChannelName, parseDescription } from "../names.ts";
import { channelPermissionOf } from "../permissions.ts";

/** The properties that a request gives a channel (spec E3), as they came. undefined: unchanged. */
export interface ChannelChangeRequest {
  name: string | undefined;
  description: string | undefined;
  isPrivate: boolean | undefined;
  isWebPublic: boolean | undefined;
  /** Whether this server allows web-public channels. */
  hasWebPublic: boolean;
  isHistoryShared: boolean | undefined;
  isDefault: boolean | undefined;
  messageRetentionDays: NewChannelSettings["messageRetentionDays"] | undefined;
  isArchived: boolean | undefined;
  folderId: number | null | undefined;
  topicsPolicy: TopicsPolicy | undefined;
  permission(permission: ChannelPermission): GroupValueChange | undefined;
}

/**
 * The channel after the request. The viewer may change the channel; this checks that they may make these
 * changes.
 */
export async function parseChannelChange(
  tx: ViewerChange,
  before: Channel,
  request: ChannelChangeRequest,
): Promise<Channel> {
  const { viewer } = tx;
  const after: Channel = {
    ...before,
    ...parseTexts(before, request),
    ...parsePrivacy(viewer, before, request),
    isArchived: parseIsArchived(before, request.isArchived),
    isDefault: parseIsDefault(viewer, before, request.isDefault),
    topicsPolicy: parseTopicsPolicy(viewer, before, request.topicsPolicy),
    folderId: await parseFolder(tx, before, request.folderId),
    groupSettings: { ...before.groupSettings, ...parsePermissions(viewer, before, request) },
  };
  if (request.messageRetentionDays !== undefined) {
    if (viewer.user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
    after.messageRetentionDays = parseRetention(viewer, request.messageRetentionDays);
  }
  checkPrivacy(after);
  if (after.isDefault && after.isArchived) throw new ApiError(errors.archivedDefaultChannel);
  return after;
}

function parseTexts(before: Channel, request: ChannelChangeRequest): Partial<Channel> {
  const texts: Partial<Channel> = {};
  if (request.name !== undefined) {
    texts.name = parseChannelName(request.name);
    if (texts.name === before.name) throw new ApiError(errors.channelNameUnchanged);
  }
  if (request.description !== undefined) {
    texts.description = parseDescription(request.description, MAX_CHANNEL_DESCRIPTION_LENGTH);
    texts.renderedDescription = renderDescription(texts.description);
  }
  return texts;
}

/**
 * Properties that are not given stay, except the history of a channel that changes between public and
 * private.
 */
function parsePrivacy(
  viewer: Viewer,
  before: Channel,
  { hasWebPublic, ...request }: ChannelChangeRequest,
): Pick<Channel, "isPrivate" | "isWebPublic" | "isHistoryShared"> {
  const isPrivate = request.isPrivate ?? before.isPrivate;
  const isWebPublic = request.isWebPublic ?? before.isWebPublic;
  const usual = isPrivate === before.isPrivate ? before.isHistoryShared : !isPrivate;
  const privacy = { isPrivate, isWebPublic, isHistoryShared: request.isHistoryShared ?? usual };
  checkPrivacy({ ...privacy, isDefault: false });
  if (isPrivate !== before.isPrivate || isWebPublic !== before.isWebPublic) {
    checkKind(viewer, { isPrivate, isWebPublic, hasWebPublic });
    checkContentAccess(viewer, before);
    checkModerationChannelStaysPrivate(viewer.state, before, privacy);
  } else if (privacy.isHistoryShared !== before.isHistoryShared) checkContentAccess(viewer, before);
  return privacy;
}

function parseIsArchived(before: Channel, isArchived: boolean | undefined): boolean {
  if (isArchived === undefined) return before.isArchived;
  if (isArchived) throw new ApiError(errors.cannotArchiveByUpdate);
  if (!before.isArchived) throw new ApiError(errors.channelNotArchived);
  return false;
}

function parseIsDefault({ user }: Viewer, before: Channel, isDefault = before.isDefault): boolean {
  if (isDefault !== before.isDefault && user.role > roles.administrator) {
    throw new ApiError(errors.mustBeAdministrator);
  }
  return isDefault;
}

function parseTopicsPolicy(viewer: Viewer, before: Channel, policy = before.topicsPolicy): TopicsPolicy {
  if (policy !== before.topicsPolicy) checkPermission(viewer, organizationPermissions.canSetTopicsPolicy);
  return policy;
}

async function parseFolder(
  tx: Change,
  before: Channel,
  folderId: number | null = before.folderId,
): Promise<Channel["folderId"]> {
  return folderId === before.folderId || folderId === null
    ? (folderId as Channel["folderId"])
    : accessFolder(tx, tx.state, folderId);
}

function parsePermissions(
  viewer: Viewer,
  before: Channel,
  request: ChannelChangeRequest,
): Record<string, GroupValue> {
  const { state } = viewer;
  const { canDeleteAnyMessage, canDeleteOwnMessage } = channelPermissions;
  const changes: Record<string, GroupValue> = {};
  for (const permission of channelPermissionList) {
    const change = request.permission(permission);
    if (change === undefined) continue;
    const current = channelPermissionOf(state, before, permission);
    const value = parseGroupSettingUpdate(state, permission, current, change);
    if (isSameGroupValue(value, current)) continue;
    if (permission === canDeleteAnyMessage || permission === canDeleteOwnMessage) {
      checkPermission(viewer, organizationPermissions.canSetDeleteMessagePolicy);
    }
    checkContentAccess(viewer, before);
    changes[permission.name] = value;
  }
  return changes;
}

/** A user who changes the access to a private channel must be able to read it (spec E3). */
function checkContentAccess({ state, user }: Viewer, channel: Channel): void {
  if (channel.isPrivate && !canReadChannel(state, user, channel)) {
    throw new ApiError(errors.contentAccessRequired);
  }
}
