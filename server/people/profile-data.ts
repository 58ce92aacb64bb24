/** What accounts show and change of profiles, which a module above this one keeps. */
import type { UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { User } from "./user.ts";
import type { ViewerChange } from "./viewer/change.ts";

/** The `profile_data` of people as JSON; people without values are missing. */
export type ProfileData = ReadonlyMap<UserId, string>;

/** Reads the values of the given people, or of everybody. */
export type ReadProfileData = (
  state: OrganizationState,
  tx: Queryable,
  userIds?: readonly UserId[],
) => Promise<ProfileData>;

/** Sets values of a person, as an administrator; see the module for what it throws. */
export type SetProfileData = (
  tx: ViewerChange,
  target: User,
  data: readonly { id: number; value: string | readonly number[] | null }[],
) => Promise<void>;
