import { registerPushDevices } from "../../../api/register/push-devices.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";

/** Devices are registered with a push service, and the server has none. */
export const pushDeviceSection = sectionOf(registerPushDevices, ({ wants }) =>
  wants("push_device") ? { push_devices: {} } : undefined,
);
