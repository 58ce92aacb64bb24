import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_DEVICE_TOKEN_LENGTH, MAX_DEVICE_TOKENS } from "../../../api/limits.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { type DeviceToken, deleteDeviceToken, deleteOldDeviceTokens, upsertDeviceToken } from "./store.ts";

/**
 * Keeps a token of the viewer's device. The server does not learn which tokens have ended, so the oldest ones
 * make room for a new one. Throws for a bot, and for a text that is no token.
 */
export async function addDeviceToken(tx: ViewerChange, device: DeviceToken): Promise<void> {
  const { organizationId } = tx.state;
  const { id: userId } = tx.viewer.user;
  checkPerson(tx.viewer);
  checkToken(device);
  if (device.appId !== null && !/^[A-Za-z0-9.-]+$/.test(device.appId)) {
    throw new ApiError(errors.invalidAppId);
  }
  await lockOwnLists(tx, userId);
  await upsertDeviceToken(tx, organizationId, userId, device);
  await deleteOldDeviceTokens(tx, organizationId, userId, MAX_DEVICE_TOKENS);
}

/** Forgets a token of the viewer's device (spec E15). Another person's token counts as unknown. */
export async function removeDeviceToken(
  tx: ViewerChange,
  device: Pick<DeviceToken, "kind" | "token">,
): Promise<void> {
  checkPerson(tx.viewer);
  checkToken(device);
  await lockOwnLists(tx, tx.viewer.user.id);
  const isDeleted = await deleteDeviceToken(tx, tx.state.organizationId, tx.viewer.user.id, device);
  if (!isDeleted) throw new ApiError(errors.deviceTokenDoesNotExist);
}

/** COMPAT: clients send Apple's tokens in hexadecimal digits or in Base64, with or without padding. */
const APNS_TOKEN = /^[A-Za-z0-9+/_-]+={0,2}$/;

function checkToken({ kind, token }: Pick<DeviceToken, "kind" | "token">): void {
  if (token === "" || token.length > MAX_DEVICE_TOKEN_LENGTH) throw new ApiError(errors.deviceTokenLength);
  if (kind === "apns" && !APNS_TOKEN.test(token)) throw new ApiError(errors.invalidApnsToken);
}
