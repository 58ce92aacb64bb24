import { event } from "../event.ts";

export const invitationsChanged = event({
  type: "invites_changed",
  description:
    "The open invitations have changed. Administrators get it, and the inviter. `GET /invites` has the list.",
  payload: {},
  example: {},
});
