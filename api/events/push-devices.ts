import { Type } from "typebox";
import { event } from "../event.ts";
import { pushDevice } from "../personal/push-devices.ts";

export const pushDeviceChanged = event({
  type: "push_device",
  description:
    "What the push service says of a device of the user. A server without a push service sends none.",
  payload: {
    push_account_id: Type.String({ description: "The registration, as in `push_devices` of `/register`." }),
    ...pushDevice,
  },
  example: { push_account_id: "2408", status: "active" },
});
