import type { ChannelId, GroupId, InvitationId, UserId } from "../../../api/ids.ts";
import type { Role } from "../../../api/roles.ts";

/** What a person who joins by an invitation gets, as far as the inviter may still give it then. */
export interface Grant {
  role: Role;
  channelIds: readonly ChannelId[];
  groupIds: readonly GroupId[];
  joinsDefaultChannels: boolean;
  /** null: the organization's own text. */
  welcomeText: string | null;
}

export interface Invitation extends Grant {
  id: InvitationId;
  inviterId: UserId;
  /** The link by which somebody gave this address. It is confirmed by the mail with this invitation. */
  parentId: InvitationId | null;
  /** null: a link for many people. */
  email: string | null;
  /** Only links for many people have one. */
  encryptedToken: Buffer | null;
  notifiesInviter: boolean;
  /** The server's operator made it, so the inviter's permissions do not count. */
  isByOperator: boolean;
  invitedAt: Date;
  /** null: never. */
  expiresAt: Date | null;
}

/** Whether it was made as a link for many people. */
export function isOfLink({ email, parentId }: Pick<Invitation, "email" | "parentId">): boolean {
  return email === null || parentId !== null;
}
