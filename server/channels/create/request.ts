import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { type ChannelPermission, channelPermissions } from "../../../api/channels/channel-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { GroupValue } from "../../groups/group.ts";
import { groups } from "../../groups/group.ts";
import { canDo } from "../../groups/group-setting.ts";
import { settingOf } from "../../organization/setting.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { TopicsPolicy } from "../channel.ts";
import { accessFolder } from "../folders/actions.ts";
import { parseChannelPermissions } from "../permissions.ts";
import type { NewChannel } from "./create.ts";

/** What a request wants a new channel to be, as it came. */
export interface NewChannelSettings {
  isPrivate: boolean;
  isWebPublic: boolean;
  /** Whether this server has web-public channels at all. */
  hasWebPublic: boolean;
  isDefault: boolean;
  isHistoryShared: boolean | undefined;
  messageRetentionDays: number | "realm_default" | "unlimited";
  topicsPolicy: TopicsPolicy;
  folderId: number | undefined;
  permission(permission: ChannelPermission): GroupValue | undefined;
}

/** The request as a channel can be made of it, if the viewer may make such a channel (spec E2). */
export async function accessChannelCreation(
  tx: ViewerChange,
  request: NewChannelSettings,
): Promise<Omit<NewChannel, "name" | "description">> {
  const { viewer } = tx;
  const { isPrivate, isWebPublic, isDefault, isHistoryShared, topicsPolicy } = request;
  checkKind(viewer, request);
  if (isDefault && viewer.user.role > roles.administrator) throw new ApiError(errors.insufficientPermission);
  if (topicsPolicy !== "inherit") checkPermission(viewer, organizationPermissions.canSetTopicsPolicy);
  const groupSettings = parseChannelPermissions(tx.state, request.permission);
  checkDeletePermissions(viewer, groupSettings);
  return {
    isPrivate,
    isWebPublic,
    isDefault,
    ...(isHistoryShared !== undefined && { isHistoryShared }),
    topicsPolicy,
    messageRetentionDays: parseRetention(viewer, request.messageRetentionDays),
    folderId: request.folderId === undefined ? null : await accessFolder(tx, tx.state, request.folderId),
    groupSettings,
  };
}

/**
 * Whether the viewer may make a channel of this privacy, or give it to one. Web-public channels must be
 * enabled on the server too.
 */
export function checkKind(
  viewer: Viewer,
  {
    isPrivate,
    isWebPublic,
    hasWebPublic,
  }: Pick<NewChannelSettings, "isPrivate" | "isWebPublic" | "hasWebPublic">,
): void {
  if (isWebPublic && !isPrivate) {
    if (!hasWebPublic || !settingOf(viewer.state, organizationSettings.enableSpectatorAccess)) {
      throw new ApiError(errors.webPublicNotEnabled);
    }
    checkPermission(viewer, organizationPermissions.canCreateWebPublicChannel);
  } else if (isPrivate) {
    checkPermission(viewer, organizationPermissions.canCreatePrivateChannel);
  } else {
    checkPermission(viewer, organizationPermissions.canCreatePublicChannel);
  }
}

/** The organization decides who may delete messages, unless the request names what is the default anyway. */
function checkDeletePermissions(viewer: Viewer, chosen: Readonly<Record<string, GroupValue>>): void {
  const nobody = viewer.state.get(groups).system("nobody").id;
  const { canDeleteAnyMessage, canDeleteOwnMessage } = channelPermissions;
  const isChanged = [canDeleteAnyMessage, canDeleteOwnMessage].some(
    ({ name }) => (chosen[name] ?? nobody) !== nobody,
  );
  if (isChanged) checkPermission(viewer, organizationPermissions.canSetDeleteMessagePolicy);
}

/** How long messages are kept, as it is stored; for owners, unless it is what the organization has set. */
export function parseRetention(
  { user }: Viewer,
  value: NewChannelSettings["messageRetentionDays"],
): number | null {
  if (value === "realm_default") return null;
  if (user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
  return value === "unlimited" ? -1 : value;
}

/** Throws unless the organization's permission names the viewer. */
export function checkPermission({ state, user }: Viewer, permission: Parameters<typeof canDo>[1]): void {
  if (!canDo(state, permission, user)) throw new ApiError(errors.insufficientPermission);
}
