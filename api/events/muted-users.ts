import { Type } from "typebox";
import { event } from "../event.ts";

export const mutedUsersChanged = event({
  type: "muted_users",
  description: "The user muted or unmuted somebody.",
  payload: {
    muted_users: Type.Array(
      Type.Object({
        id: Type.Integer({ description: "The muted user." }),
        timestamp: Type.Integer({ description: "Since when, in UNIX seconds." }),
      }),
      { description: "All users whom the user has muted, as they are now." },
    ),
  },
  example: { muted_users: [{ id: 10, timestamp: 1700000000 }] },
});
