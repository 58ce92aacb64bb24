import type { UserRecord } from "../../api/people/user.ts";
import { roles } from "../../api/roles.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { canSeeEmail, shownEmail } from "./email/email-visibility.ts";
import { avatarUrl } from "./pictures/picture.ts";
import type { ProfileData } from "./profile-data.ts";
import type { User } from "./user.ts";

/** The form in which a client wants users. */
export interface UserForm {
  clientGravatar: boolean;
  /** Whether people come with the values of their custom profile fields. */
  profileData: boolean;
  /** Whose client it is. */
  reader: User;
}

/** A user as others see them: the entry of `realm_users` and the `person` of `realm_user` events. */
export function presentUser(state: OrganizationState, user: User, form: UserForm): UserRecord {
  return {
    ...identityOf(user),
    ...presentAddresses(state, user, form),
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: user.timezone,
    avatar_version: user.avatarVersion,
    // The last field, so that `user-lists.ts` can put the values into the text.
    ...(form.profileData && user.botType === null ? { profile_data: {} } : undefined),
  };
}

/** The fields of a user that depend on who reads them. */
export function presentAddresses(
  state: OrganizationState,
  user: User,
  { clientGravatar, reader }: Pick<UserForm, "clientGravatar" | "reader">,
): Pick<UserRecord, "email" | "delivery_email" | "avatar_url"> {
  return {
    email: shownEmail(state, user),
    delivery_email: canSeeEmail(reader, user) ? user.email : null,
    avatar_url: avatarUrl(state, user, clientGravatar),
  };
}

/** An account of the service itself, as the entry of `cross_realm_bots`. */
export function presentSystemBot(state: OrganizationState, bot: User, form: UserForm) {
  return { ...presentUser(state, bot, form), is_system_bot: true };
}

/** A user as others see them, and as asked for with the values of their profile. */
export function presentWithProfile(
  state: OrganizationState,
  user: User,
  form: UserForm,
  profileData: ProfileData,
): UserRecord {
  const record = presentUser(state, user, form);
  return record.profile_data ? { ...record, profile_data: valuesOf(user, profileData) } : record;
}

/**
 * A user as they see themselves (spec, Own user record); `maxMessageId` is -1 where there are no messages.
 */
export function presentOwnUser(
  state: OrganizationState,
  user: User,
  maxMessageId: number,
  profileData: ProfileData,
) {
  return {
    ...identityOf(user),
    email: shownEmail(state, user),
    delivery_email: user.email,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(state, user, false),
    avatar_version: user.avatarVersion,
    max_message_id: maxMessageId,
    ...(user.botType === null ? { profile_data: valuesOf(user, profileData) } : undefined),
  };
}

function valuesOf(user: User, profileData: ProfileData): NonNullable<UserRecord["profile_data"]> {
  return JSON.parse(profileData.get(user.id) ?? "{}");
}

/** What everybody sees of a user, they themselves too. */
function identityOf(user: User) {
  return {
    user_id: user.id,
    full_name: user.fullName,
    date_joined: user.joinedAt,
    is_active: user.isActive,
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.administrator,
    is_guest: user.role === roles.guest,
    is_bot: user.botType !== null,
  };
}
