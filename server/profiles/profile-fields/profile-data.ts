import type { ReadProfileData } from "../../people/profile-data.ts";
import { profileFields } from "./profile-fields.ts";
import { listProfileData } from "./value-store.ts";

/** Asks the database nothing where there are no fields. */
export const readProfileData: ReadProfileData = async (state, tx, userIds) =>
  state.get(profileFields).all.length === 0 ? new Map() : listProfileData(tx, state.organizationId, userIds);
