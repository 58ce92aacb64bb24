/**
 * Sample calls that a server without a push service and keys for tokens refuses, or that need a browser's
 * session, and the refusals' codes.
 */
export const refusedSamples: Readonly<Record<string, string>> = {
  sendTestNotification: "PUSH_SERVICE_NOT_CONFIGURED",
  sendEncryptedTestNotification: "NO_ACTIVE_PUSH_DEVICE",
  registerPushDevice: "PUSH_SERVICE_NOT_CONFIGURED",
  fetchApiKeyByToken: "BAD_REQUEST",
  endSession: "BAD_REQUEST",
};
