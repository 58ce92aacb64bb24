import { Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { RECOVERY_CODES } from "../limits.ts";
import { strongest } from "../proof.ts";

const MAX_CODE_LENGTH = 100;

export const recoveryCodesOf = (when: string) =>
  Type.Array(Type.String(), {
    description: `${when} There are ${RECOVERY_CODES} codes, each of which works once in place of a second step. They are not shown again.`,
  });

const recoveryCodes = recoveryCodesOf("The caller's new recovery codes.");

export const exampleRecoveryCodes = ["ab2c-d3ef-g4hj", "k5mn-p6qr-s7tu"];

export const getSecondSteps = endpoint({
  name: "getSecondSteps",
  subject: "Second steps",
  method: "GET",
  path: "/second_steps",
  access: "user",
  summary: "Get own second steps",
  description:
    "Says what the caller needs beside the password to sign in, and whether the organization requires a second step of them. Bots can't call this.",
  parameters: {},
  reply: {
    totp: Type.Boolean({ description: "Whether an authenticator app is set up." }),
    passkeys: Type.Integer({ description: "How many passkeys the caller has." }),
    recovery_codes: Type.Integer({ description: "How many recovery codes are left." }),
    is_required: Type.Boolean({ description: "Whether the organization requires a second step." }),
  },
  errors: [errors.botsNotAccepted],
  emits: [],
  isForSecondStepSetup: true,
  example: {
    parameters: {},
    reply: { totp: true, passkeys: 1, recovery_codes: 9, is_required: false },
  },
  sample: () => ({}),
});

export const startTotp = endpoint({
  name: "startTotp",
  subject: "Second steps",
  method: "POST",
  path: "/second_steps/totp",
  access: "user",
  proof: strongest(),
  summary: "Start to set up an authenticator app",
  description: `Returns a new secret for an app that makes codes by the time (TOTP). Nothing changes until \`POST /second_steps/totp/confirm\` gets the app's first code, within an hour. Bots can't call this.`,
  parameters: {},
  reply: {
    secret: Type.String({ description: "The secret in base32, for people to type." }),
    uri: Type.String({ description: "The same as an address that apps read from a QR code." }),
  },
  errors: [errors.botsNotAccepted, errors.secondStepExists],
  emits: [],
  isForSecondStepSetup: true,
  example: {
    parameters: { password: "demo-password" },
    reply: { secret: "<SECRET>", uri: "otpauth://totp/Demo:dev%40demo.test?issuer=Demo&secret=<SECRET>" },
  },
  sample: () => ({}),
});

export const confirmTotp = endpoint({
  name: "confirmTotp",
  subject: "Second steps",
  method: "POST",
  path: "/second_steps/totp/confirm",
  access: "user",
  proof: strongest("second_step_added"),
  summary: "Set up an authenticator app",
  description: `Takes the first code of the app. From then on the password alone is not enough to sign in. All other sessions of the caller end, and the caller gets a mail. Bots can't call this.`,
  parameters: {
    code: required(Type.String({ maxLength: MAX_CODE_LENGTH }), {
      description: "The code that the app shows.",
    }),
  },
  reply: { recovery_codes: recoveryCodes },
  errors: [errors.botsNotAccepted, errors.secondStepExists, errors.secondStepNotStarted],
  emits: [],
  isForSecondStepSetup: true,
  example: {
    parameters: { code: "123456", password: "demo-password" },
    reply: { recovery_codes: exampleRecoveryCodes },
  },
  sample: () => ({ code: "123456" }),
});

export const removeTotp = endpoint({
  name: "removeTotp",
  subject: "Second steps",
  method: "DELETE",
  path: "/second_steps/totp",
  access: "user",
  proof: strongest("second_step_removed"),
  summary: "Remove the authenticator app",
  description: `Its codes no longer count. All other sessions of the caller end, and the caller gets a mail. People who need a second step can't remove the only one. Bots can't call this.`,
  parameters: {},
  reply: {},
  errors: [errors.botsNotAccepted, errors.noSecondStep, errors.secondStepNeeded],
  emits: [],
  example: { parameters: { password: "demo-password" }, reply: {} },
  sample: () => ({}),
});

export const renewRecoveryCodes = endpoint({
  name: "renewRecoveryCodes",
  subject: "Second steps",
  method: "POST",
  path: "/second_steps/recovery_codes",
  access: "user",
  proof: strongest("recovery_codes_replaced"),
  summary: "Get new recovery codes",
  description: `The old ones no longer work, and the caller gets a mail. Bots can't call this.`,
  parameters: {},
  reply: { recovery_codes: recoveryCodes },
  errors: [errors.botsNotAccepted, errors.noSecondStep],
  emits: [],
  example: {
    parameters: { password: "demo-password" },
    reply: { recovery_codes: exampleRecoveryCodes },
  },
  sample: () => ({}),
});
