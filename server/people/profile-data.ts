/** What accounts show and change of profiles, which a module above this one keeps. */
import type { UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { User } from "./user.ts";
import type { ViewerChange } from "./viewer/change.ts";

/** The `profile_data` of people as JSON; people without values are missing. */
export type ProfileData = ReadonlyMap<UserId, string>;

/** Reads the values of the given people. */
export type ReadProfileData = (
  state: OrganizationState,
  tx: Queryable,
  userIds: readonly UserId[],
) => Promise<ProfileData>;

/** The values of all people, as memory keeps them. */
export interface EverybodysProfileData {
  data: ProfileData;
  /** Another one for other values. undefined: nobody keeps these values. */
  version: number | undefined;
}

/** Reads what is not in memory through a transaction whose snapshot memory has reached. */
export type ReadEverybodysProfileData = (
  state: OrganizationState,
  tx: Queryable,
) => Promise<EverybodysProfileData>;

/** Sets values of a person, as an administrator; see the module for what it throws. */
export type SetProfileData = (
  tx: ViewerChange,
  target: User,
  data: readonly { id: number; value: string | readonly number[] | null }[],
) => Promise<void>;
