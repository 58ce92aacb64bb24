/**
 * Who may invite whom to what. An invitation is checked twice: when it is made, and again when somebody joins
 * by it, by what its inviter may do at that time.
 */

import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { InvitationId } from "../../../api/ids.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { canAddSubscribers, canSeeChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { accessGroupToAddTo } from "../../groups/access.ts";
import { canDo } from "../../groups/group-setting.ts";
import type { User } from "../../people/user.ts";
import { checkAdministrator, checkOwner, checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Grant, Invitation } from "./invitation.ts";
import { findInvitation } from "./store.ts";

export type InvitationKind = "addresses" | "link";

/** Whether the organization lets the user invite in this way at all. */
export function canInvite(state: OrganizationState, user: User, kind: InvitationKind): boolean {
  const { canInviteUsers, createMultiuseInvite } = organizationPermissions;
  return canDo(state, kind === "link" ? createMultiuseInvite : canInviteUsers, user);
}

/** Only owners make owners, and only administrators make administrators and moderators. */
export function canGrantRole(user: User, role: Role): boolean {
  if (role <= roles.owner) return user.role <= roles.owner;
  return role > roles.moderator || user.role <= roles.administrator;
}

/**
 * Whether the user may have somebody subscribed to the channel who joins. Everybody may name default
 * channels, as the organization itself does.
 */
export function canInviteToChannel(state: OrganizationState, user: User, channel: Channel): boolean {
  if (channel.isArchived) return false;
  return (channel.isDefault && !channel.isPrivate) || canAddSubscribers(state, user, channel);
}

/**
 * What a request wants people to get, if the viewer may give it. Throws for anything that the viewer may not.
 */
export function accessGrant(
  viewer: Viewer,
  kind: InvitationKind,
  request: Omit<Grant, "channelIds" | "groupIds"> & {
    channelIds: readonly number[];
    groupIds: readonly number[];
  },
): Grant {
  const { state, user } = viewer;
  checkPerson(viewer);
  if (!viewer.isOperator && !canInvite(state, user, kind)) throw new ApiError(errors.insufficientPermission);
  if (request.role <= roles.owner) checkOwner(viewer);
  else if (request.role <= roles.moderator) checkAdministrator(viewer);
  if (request.welcomeText !== null) checkAdministrator(viewer);
  const named = [...new Set(request.channelIds)].map((id) => accessChannelToInvite(viewer, id));
  if (!named.every((channel) => canInviteToChannel(state, user, channel))) {
    throw new ApiError(errors.cannotSubscribeInvited);
  }
  const groups = [...new Set(request.groupIds)].map((id) => accessGroupToAddTo(viewer, id));
  return { ...request, channelIds: named.map(({ id }) => id), groupIds: groups.map(({ id }) => id) };
}

function accessChannelToInvite({ state, user }: Viewer, id: number): Channel {
  const channel = state.get(channels).find(id);
  if (!channel || channel.isArchived || !canSeeChannel(state, user, channel)) {
    throw new ApiError(errors.invalidInvitationChannel, { id });
  }
  return channel;
}

/**
 * Whether the viewer may see an invitation: it is theirs, or they are an administrator. A link is a secret
 * that gives its role to anybody who has it. So one that makes owners is for owners.
 */
export function canSeeInvitation({ user }: Viewer, { inviterId, email, role }: Invitation): boolean {
  if (inviterId === user.id) return true;
  if (user.role > roles.administrator) return false;
  return email !== null || canGrantRole(user, role);
}

/**
 * Whether the list shows the viewer a link of this role. It does where the viewer could make one without a
 * proof: who reads a link has what it gives, as if they had made it (the proof of `createInvitationLink`).
 */
export function showsLink({ credential }: Viewer, role: Role): boolean {
  return role > roles.moderator || (role > roles.administrator && credential?.kind === "API key");
}

/**
 * An open invitation that the viewer may revoke. LOCK: the row. Throws `noSuchInvitation`, and `mustBeOwner`
 * for somebody else's invitation of an owner.
 */
export async function accessInvitation(
  viewer: Viewer,
  tx: Queryable,
  kind: InvitationKind,
  id: number,
): Promise<Invitation> {
  checkPerson(viewer);
  const invitation = await findInvitation(tx, viewer.state.organizationId, id as InvitationId);
  if (
    !invitation ||
    (invitation.email === null) !== (kind === "link") ||
    !canSeeInvitation(viewer, invitation)
  ) {
    throw new ApiError(errors.noSuchInvitation);
  }
  if (invitation.inviterId !== viewer.user.id && invitation.role <= roles.owner) checkOwner(viewer);
  return invitation;
}
