import { Type } from "typebox";
import { pushDevice } from "../personal/push-devices.ts";
import { registerSection } from "../register-section.ts";

export const registerPushDevices = registerSection({
  fields: {
    push_devices: Type.Record(Type.String(), Type.Object(pushDevice), {
      description:
        "The user's devices for encrypted notifications, by `push_account_id`. Empty on a server without a push service.",
    }),
  },
});
