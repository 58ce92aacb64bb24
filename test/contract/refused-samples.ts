/** Sample calls that a server without a push service refuses, and the code of the refusal. */
export const refusedSamples: Readonly<Record<string, string>> = {
  sendTestNotification: "PUSH_SERVICE_NOT_CONFIGURED",
  sendEncryptedTestNotification: "NO_ACTIVE_PUSH_DEVICE",
  registerPushDevice: "PUSH_SERVICE_NOT_CONFIGURED",
};
