import { ApiError, errors } from "../../../api/errors.ts";
import {
  addApnsToken,
  addFcmToken,
  registerPushDevice,
  removeApnsToken,
  removeFcmToken,
  sendEncryptedTestNotification,
  sendTestNotification,
} from "../../../api/personal/push-devices.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { addDeviceToken, removeDeviceToken } from "./actions.ts";
import { type DeviceToken, isDeviceTokenOf } from "./store.ts";

export function pushDeviceRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  const add = async (viewer: Viewer, device: DeviceToken) => {
    await changeContent(viewer, async (tx) => {
      await quotas.use(tx, "device tokens");
      await addDeviceToken(tx, device);
    });
    return {};
  };
  const remove = async (viewer: Viewer, device: Pick<DeviceToken, "kind" | "token">) => {
    await changeContent(viewer, (tx) => removeDeviceToken(tx, device));
    return {};
  };
  return [
    route(addApnsToken, ({ viewer, params: { token, appid } }) =>
      add(viewer, { kind: "apns", token, appId: appid }),
    ),
    route(removeApnsToken, ({ viewer, params: { token } }) => remove(viewer, { kind: "apns", token })),
    route(addFcmToken, ({ viewer, params: { token } }) => add(viewer, { kind: "fcm", token, appId: null })),
    route(removeFcmToken, ({ viewer, params: { token } }) => remove(viewer, { kind: "fcm", token })),
    route(sendTestNotification, async ({ state, viewer, params: { token } }) => {
      checkPerson(viewer);
      const { database, organizationId } = state;
      if (token !== undefined && !(await isDeviceTokenOf(database, organizationId, viewer.user.id, token))) {
        throw new ApiError(errors.deviceNotRecognized);
      }
      throw new ApiError(errors.pushServiceNotConfigured);
    }),
    route(sendEncryptedTestNotification, ({ viewer }) => {
      checkPerson(viewer);
      throw new ApiError(errors.noActivePushDevice);
    }),
    route(registerPushDevice, ({ viewer }) => {
      checkPerson(viewer);
      throw new ApiError(errors.pushServiceNotConfigured);
    }),
  ];
}
