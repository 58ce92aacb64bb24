import { createHash } from "node:crypto";
import { roles } from "../../../api/roles.ts";
import type { UserRecord } from "../../../api/user.ts";
import type { User } from "./user.ts";

/** null for a client that makes the address from the email itself (spec Message, `avatar_url`). */
export function avatarUrl(
  user: Pick<User, "email" | "avatarVersion">,
  clientGravatar: boolean,
  size: "normal" | "medium" = "normal",
): string | null {
  if (clientGravatar) return null;
  const hash = createHash("md5").update(user.email.toLowerCase()).digest("hex");
  const query = `d=identicon&version=${user.avatarVersion}${size === "medium" ? "&s=500" : ""}`;
  return `https://secure.gravatar.com/avatar/${hash}?${query}`;
}

/** The form in which a client wants users. */
export interface UserForm {
  clientGravatar: boolean;
  /** Whether people come with the values of their custom profile fields. */
  profileData: boolean;
}

/** A user as others see them: the entry of `realm_users` and the `person` of `realm_user` events. */
export function presentUser(user: User, { clientGravatar, profileData }: UserForm): UserRecord {
  return {
    ...identityOf(user),
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, clientGravatar),
    avatar_version: user.avatarVersion,
    ...(profileData && user.botType === null ? { profile_data: {} } : undefined),
  };
}

/** An account of the service itself, as the entry of `cross_realm_bots`. */
export function presentSystemBot(bot: User, form: UserForm) {
  return { ...presentUser(bot, form), is_system_bot: true };
}

/**
 * A user as they see themselves (spec, Own user record); `maxMessageId` is -1 where there are no messages.
 */
export function presentOwnUser(user: User, maxMessageId: number) {
  return {
    ...identityOf(user),
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, false),
    avatar_version: user.avatarVersion,
    max_message_id: maxMessageId,
    ...(user.botType === null ? { profile_data: {} } : undefined),
  };
}

/** What everybody sees of a user, they themselves too. */
function identityOf(user: User) {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    date_joined: user.joinedAt,
    is_active: user.isActive,
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.administrator,
    is_guest: user.role === roles.guest,
    is_bot: user.botType !== null,
  };
}
