/**
 * Sample calls that are refused, and the refusals' codes. The server has no push service and no keys for
 * tokens. Some calls need a browser's session or a fresh proof, and nobody can write down a device's answer.
 */
export const refusedSamples: Readonly<Record<string, string>> = {
  sendTestNotification: "PUSH_SERVICE_NOT_CONFIGURED",
  sendEncryptedTestNotification: "NO_ACTIVE_PUSH_DEVICE",
  registerPushDevice: "PUSH_SERVICE_NOT_CONFIGURED",
  fetchApiKeyByToken: "BAD_REQUEST",
  endSession: "BAD_REQUEST",
  startTotp: "RECENT_PROOF_REQUIRED",
  confirmTotp: "RECENT_PROOF_REQUIRED",
  removeTotp: "RECENT_PROOF_REQUIRED",
  renewRecoveryCodes: "RECENT_PROOF_REQUIRED",
  startPasskeyRegistration: "RECENT_PROOF_REQUIRED",
  removePasskey: "RECENT_PROOF_REQUIRED",
  removeIdentity: "RECENT_PROOF_REQUIRED",
  addPasskey: "PASSKEY_NOT_ACCEPTED",
  startPasskeySession: "PASSKEY_NOT_ACCEPTED",
};
