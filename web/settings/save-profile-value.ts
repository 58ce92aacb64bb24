import { updateProfileData } from "../../api/profile-fields.ts";
import { state } from "../app/state/state.ts";

/** An empty value takes away what was there. */
export function saveProfileValue(id: number, value: string | readonly number[]): Promise<unknown> {
  const parameters = { data: [{ id, value }] };
  return state.track(() => state.connection.call(updateProfileData, parameters as never));
}
