import { updateUser, updateUserByEmail } from "../../../../api/update-users.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { changeState } from "../change.ts";
import { route } from "../route.ts";
import { updateUserAsAdministrator } from "./update-user.ts";

export const userUpdateRoutes: readonly Route[] = [
  route(updateUser, async ({ viewer, params: { userId, ...update } }) => {
    await changeState(viewer, (tx) => updateUserAsAdministrator(tx, { userId }, update));
    return {};
  }),
  route(updateUserByEmail, async ({ viewer, params: { email, ...update } }) => {
    await changeState(viewer, (tx) => updateUserAsAdministrator(tx, { email }, update));
    return {};
  }),
];
