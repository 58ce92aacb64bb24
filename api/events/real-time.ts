import { event } from "../event.ts";

export const heartbeat = event({
  type: "heartbeat",
  description:
    "Sent to a queue that had no events for about a minute. It completes the held request before a proxy between client and server drops the connection. It has no fields except its ID.",
  payload: {},
  example: {},
});
