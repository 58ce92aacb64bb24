import { event } from "../event.ts";

export const heartbeat = event({
  type: "heartbeat",
  description:
    "Sent to a queue that has been quiet for about a minute, so that a held request is answered before anything between client and server gives it up. It carries nothing but its id.",
  payload: {},
  example: {},
});
