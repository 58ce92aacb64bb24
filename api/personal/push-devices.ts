import { Type } from "typebox";
import { endpoint, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_DEVICE_TOKEN_LENGTH, MAX_DEVICE_TOKENS } from "../limits.ts";

/** COMPAT: clients of this level expect an account's registrations under `push_account_id`, as text. */
export const pushDevice = {
  status: Type.Union([Type.Literal("active"), Type.Literal("pending"), Type.Literal("failed")], {
    description:
      "Whether the push service knows the device, is yet to be asked, or refused it for `error_code`.",
  }),
  error_code: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "Why the push service refused the device, where it did.",
    }),
  ),
};

const PEOPLE_ONLY = "Bots can't call this.";
const key = Type.String({ maxLength: 1000 });
const token = required(Type.String(), {
  description: `The token that the device got, of at most ${MAX_DEVICE_TOKEN_LENGTH} characters.`,
});
const tokenErrors = [errors.botsNotAccepted, errors.deviceTokenLength];
const exampleToken = "c0ffee";

export const addApnsToken = endpoint({
  name: "addApnsToken",
  subject: "Push devices",
  method: "POST",
  path: "/users/me/apns_device_token",
  access: "user",
  summary: "Add an APNs device token",
  description: `Keeps the token of an Apple device for notifications. Adding it again succeeds. Each person keeps the ${MAX_DEVICE_TOKENS} tokens that were added last. Several accounts on one device can each add its token. ${PEOPLE_ONLY}`,
  parameters: {
    token,
    appid: required(Type.String({ maxLength: 255 }), {
      description: "The ID of the app: letters, digits, dots and hyphens.",
    }),
  },
  reply: {},
  errors: [...tokenErrors, errors.invalidApnsToken, errors.invalidAppId],
  emits: [],
  example: { parameters: { token: exampleToken, appid: "org.example.chat" }, reply: {} },
  sample: () => ({ token: exampleToken, appid: "org.example.chat" }),
});

export const removeApnsToken = endpoint({
  name: "removeApnsToken",
  subject: "Push devices",
  method: "DELETE",
  path: "/users/me/apns_device_token",
  access: "user",
  summary: "Remove an APNs device token",
  description: `Forgets the token of an Apple device of the caller. ${PEOPLE_ONLY}`,
  parameters: { token },
  reply: {},
  errors: [...tokenErrors, errors.invalidApnsToken, errors.deviceTokenDoesNotExist],
  emits: [],
  example: { parameters: { token: exampleToken }, reply: {} },
  sample: () => ({ token: exampleToken }),
});

export const addFcmToken = endpoint({
  name: "addFcmToken",
  subject: "Push devices",
  method: "POST",
  path: "/users/me/android_gcm_reg_id",
  access: "user",
  summary: "Add an FCM registration token",
  description: `Keeps the token of an Android device for notifications, as for Apple devices. ${PEOPLE_ONLY}`,
  parameters: { token },
  reply: {},
  errors: tokenErrors,
  emits: [],
  example: { parameters: { token: "android-token" }, reply: {} },
  sample: () => ({ token: "android-token" }),
});

export const removeFcmToken = endpoint({
  name: "removeFcmToken",
  subject: "Push devices",
  method: "DELETE",
  path: "/users/me/android_gcm_reg_id",
  access: "user",
  summary: "Remove an FCM registration token",
  description: `Forgets the token of an Android device of the caller. ${PEOPLE_ONLY}`,
  parameters: { token },
  reply: {},
  errors: [...tokenErrors, errors.deviceTokenDoesNotExist],
  emits: [],
  example: { parameters: { token: "android-token" }, reply: {} },
  sample: () => ({ token: "android-token" }),
});

export const sendTestNotification = endpoint({
  name: "sendTestNotification",
  subject: "Push devices",
  method: "POST",
  path: "/mobile_push/test_notification",
  access: "user",
  summary: "Send a test notification to mobile devices",
  description: `Notifies the caller's devices, for a test. This server has no push service, so it always fails. ${PEOPLE_ONLY}`,
  parameters: {
    token: optional(Type.String(), { description: "The token of one device of the caller. Default: all." }),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.deviceNotRecognized, errors.pushServiceNotConfigured],
  emits: [],
  example: { parameters: { token: exampleToken }, reply: {} },
  sample: () => ({}),
});

export const sendEncryptedTestNotification = endpoint({
  name: "sendEncryptedTestNotification",
  subject: "Push devices",
  method: "POST",
  path: "/mobile_push/e2ee/test_notification",
  access: "user",
  summary: "Send an encrypted test notification to mobile devices",
  description: `Notifies the caller's devices that take encrypted notifications, for a test. This server has no push service and so no such device: it always fails. ${PEOPLE_ONLY}`,
  parameters: {
    push_account_id: optional(Type.Integer(), {
      description: "One registration of the caller. Default: all.",
    }),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.noActivePushDevice],
  emits: [],
  example: { parameters: { push_account_id: 2408 }, reply: {} },
  sample: () => ({}),
});

const exampleRegistration = {
  token_kind: "fcm" as const,
  push_account_id: 2408,
  push_public_key: "push-public-key",
  bouncer_public_key: "bouncer-public-key",
  encrypted_push_registration: "encrypted-push-registration-data",
};

export const registerPushDevice = endpoint({
  name: "registerPushDevice",
  subject: "Push devices",
  method: "POST",
  path: "/mobile_push/register",
  access: "user",
  summary: "Register a device for encrypted notifications",
  description: `Registers a device of the caller with the server's push service. This server has none, so it always fails and keeps nothing. ${PEOPLE_ONLY}`,
  parameters: {
    token_kind: required(Type.Union([Type.Literal("apns"), Type.Literal("fcm")]), {
      description: "Who made the device's token: Apple or Google.",
    }),
    push_account_id: required(Type.Integer(), {
      description: "A random number of the client, by which it recognizes the account in notifications.",
    }),
    push_public_key: required(key, { description: "The key with which notifications are encrypted." }),
    bouncer_public_key: required(key, {
      description: "The push service's key with which the registration is encrypted.",
    }),
    encrypted_push_registration: required(Type.String({ maxLength: 10_000 }), {
      description: "What the push service needs to know, encrypted.",
    }),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.pushServiceNotConfigured],
  emits: [],
  example: { parameters: exampleRegistration, reply: {} },
  sample: () => exampleRegistration,
});
