import { updateUser, updateUserByEmail } from "../../../api/people/update-users.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { NamedUser } from "../access/access.ts";
import type { NoteNewAddress } from "../own-login.ts";
import type { SetProfileData } from "../profile-data.ts";
import { changeState } from "../viewer/change.ts";
import { route } from "../viewer/route.ts";
import type { Viewer } from "../viewer/viewer.ts";
import { type UserUpdate, updateUserAsAdministrator } from "./update-user.ts";

export function userUpdateRoutes(setProfileData: SetProfileData, noteNewAddress: NoteNewAddress): Route[] {
  const change = (viewer: Viewer, named: NamedUser, { profileData = [], ...update }: WholeUpdate) =>
    changeState(viewer, async (tx) => {
      const target = await updateUserAsAdministrator(tx, named, update, noteNewAddress);
      await setProfileData(tx, target, profileData);
    });
  return [
    route(updateUser, async ({ viewer, params: { userId, ...update } }) => {
      await change(viewer, { userId }, update);
      return {};
    }),
    route(updateUserByEmail, async ({ viewer, params: { email, ...update } }) => {
      await change(viewer, { email }, update);
      return {};
    }),
  ];
}

interface WholeUpdate extends UserUpdate {
  profileData?: Parameters<SetProfileData>[2] | undefined;
}
