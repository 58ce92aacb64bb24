/**
 * What stands for a person of whom the reader may not know: a guest, where `can_access_all_users_group`
 * limits guests. Only the id tells one such person from another.
 */
import { roles } from "../roles.ts";

export const UNKNOWN_USER_NAME = "Unknown user";

/** The same picture for all of them: the shape of a person, drawn by the server. */
export const UNKNOWN_USER_PICTURE = "/user_avatars/drawn/person.png";

/** The address by which the API knows them. */
export function unknownUserEmail(id: number, host: string): string {
  return `user${id}@${host}`;
}

/** COMPAT: for clients without `user_list_incomplete`, which expect a record of everybody. */
export function unknownUser(id: number, host: string) {
  return {
    user_id: id,
    full_name: UNKNOWN_USER_NAME,
    date_joined: "1970-01-01T00:00:00.000Z",
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    email: unknownUserEmail(id, host),
    delivery_email: null,
    avatar_url: UNKNOWN_USER_PICTURE,
    bot_type: null,
    bot_owner_id: null,
    role: roles.member,
    timezone: "",
    avatar_version: 1,
    profile_data: {},
  };
}
