import { type Static, Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS, PASSKEY_CHALLENGE_MINUTES } from "../limits.ts";
import { strongest } from "../proof.ts";
import { exampleRecoveryCodes, recoveryCodesOf } from "./second-steps.ts";

const bytes = (description: string, maxLength = 4096) =>
  Type.String({ maxLength, description: `${description}, in base64url.` });

const createdCredential = Type.Object(
  {
    id: bytes("The passkey's ID", 2048),
    response: Type.Object(
      {
        clientDataJSON: bytes("What the browser says of the request"),
        attestationObject: bytes("The new key", 65_536),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 30 }), {
            maxItems: 10,
            description: "How the device can be reached, as hints for later.",
          }),
        ),
      },
      { description: "The response of the device." },
    ),
  },
  { description: "What `navigator.credentials.create` returned, as JSON. Other fields are ignored." },
);

const assertedCredential = Type.Object(
  {
    id: bytes("The passkey's ID", 2048),
    response: Type.Object(
      {
        clientDataJSON: bytes("What the browser says of the request"),
        authenticatorData: bytes("What the device says of itself"),
        signature: bytes("The device's signature"),
      },
      { description: "The response of the device." },
    ),
  },
  { description: "What `navigator.credentials.get` returned, as JSON. Other fields are ignored." },
);

export type CreatedCredential = Static<typeof createdCredential>;
export type AssertedCredential = Static<typeof assertedCredential>;

const passkey = Type.Object(
  {
    id: Type.Integer({ description: "The passkey's ID." }),
    name: Type.String({ description: "What its owner calls it." }),
    created_at: Type.Integer({ description: "When it was added: a UNIX timestamp in seconds." }),
    last_used_at: Type.Union([Type.Integer(), Type.Null()], {
      description: "When somebody last signed in by it, in UNIX seconds; `null` for never.",
    }),
  },
  { description: "A passkey of the caller." },
);

const known = Type.Object({
  id: bytes("The ID of a passkey"),
  type: Type.Literal("public-key", { description: "Always this." }),
  transports: Type.Array(Type.String(), { description: "How its device can be reached." }),
});

const creationOptions = Type.Object(
  {
    rp: Type.Object(
      {
        id: Type.String({ description: "The organization's host." }),
        name: Type.String({ description: "The organization's name." }),
      },
      { description: "What the passkey is for." },
    ),
    user: Type.Object(
      {
        id: bytes("What devices know the person by"),
        name: Type.String({ description: "The email address." }),
        displayName: Type.String({ description: "The name." }),
      },
      { description: "Whom the passkey is for." },
    ),
    challenge: bytes("What the device is to sign"),
    pubKeyCredParams: Type.Array(
      Type.Object({
        alg: Type.Integer({ description: "A signature algorithm, by its COSE number." }),
        type: Type.Literal("public-key", { description: "Always this." }),
      }),
      { description: "The algorithms that the server knows." },
    ),
    timeout: Type.Integer({ description: "How long the browser waits for the person, in milliseconds." }),
    attestation: Type.Literal("none", { description: "The server does not ask who made the device." }),
    excludeCredentials: Type.Array(known, { description: "The passkeys that the caller has." }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal("required", { description: "The device keeps the passkey." }),
        requireResidentKey: Type.Boolean({ description: "The same for older browsers." }),
        userVerification: Type.Literal("required", { description: "The device checks who uses it." }),
      },
      { description: "What the device must do." },
    ),
  },
  { description: "For `PublicKeyCredential.parseCreationOptionsFromJSON`." },
);

const requestOptions = Type.Object(
  {
    rpId: Type.String({ description: "The organization's host." }),
    challenge: bytes("What the device is to sign"),
    timeout: Type.Integer({ description: "How long the browser waits for the person, in milliseconds." }),
    userVerification: Type.Literal("required", { description: "The device checks who uses it." }),
  },
  { description: "For `PublicKeyCredential.parseRequestOptionsFromJSON`." },
);

export type CreationOptions = Static<typeof creationOptions>;

const id = "AbCdEf0123456789";
const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0";
const created = { id, response: { clientDataJSON, attestationObject: "o2NmbXRkbm9uZQ" } };
const asserted = { id, response: { clientDataJSON, authenticatorData: "SZYN5YgO", signature: "MEUCIQ" } };

const examplePasskey = {
  id: 4,
  name: "Firefox on Linux",
  created_at: 1741000000,
  last_used_at: 1741086400,
};

const pathId = inPath(Type.Integer(), { description: "The ID of the passkey." });

export const getPasskeys = endpoint({
  name: "getPasskeys",
  subject: "Passkeys",
  method: "GET",
  path: "/passkeys",
  access: "user",
  summary: "List own passkeys",
  description: `Returns the caller's passkeys, the oldest first. There are at most ${MAX_PASSKEYS}. Bots can't call this.`,
  parameters: {},
  reply: { passkeys: Type.Array(passkey, { description: "The caller's passkeys." }) },
  errors: [errors.botsNotAccepted],
  emits: [],
  isForSecondStepSetup: true,
  example: { parameters: {}, reply: { passkeys: [examplePasskey] } },
  sample: () => ({}),
});

export const startPasskeyRegistration = endpoint({
  name: "startPasskeyRegistration",
  subject: "Passkeys",
  method: "POST",
  path: "/passkeys/registration_options",
  access: "user",
  proof: strongest(),
  summary: "Start to add a passkey",
  description: `Returns what a browser needs to make a passkey. \`POST /passkeys\` takes its answer, once, within ${PASSKEY_CHALLENGE_MINUTES} minutes and with the same credentials. Bots can't call this.`,
  parameters: {},
  reply: { options: creationOptions },
  errors: [errors.botsNotAccepted],
  emits: [],
  isForSecondStepSetup: true,
  example: {
    parameters: { password: "demo-password" },
    reply: {
      options: {
        rp: { id: "demo.test", name: "Demo" },
        user: { id: "c2FtcGxl", name: "dev@demo.test", displayName: "Dev" },
        challenge: "Y2hhbGxlbmdl",
        pubKeyCredParams: [{ alg: -7, type: "public-key" }],
        timeout: 300_000,
        attestation: "none",
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
      },
    },
  },
  sample: () => ({}),
});

export const addPasskey = endpoint({
  name: "addPasskey",
  subject: "Passkeys",
  method: "POST",
  path: "/passkeys",
  access: "user",
  summary: "Add a passkey",
  description:
    "Adds the passkey that a browser has made. It is a whole sign-in, and a second step: from then on the password alone is not enough. All other sessions of the caller end, and the caller gets a mail. The fresh proof was needed by `POST /passkeys/registration_options`. Bots can't call this.",
  parameters: {
    credential: required(createdCredential, { description: "What the browser has made." }),
    name: optional(Type.String({ maxLength: MAX_PASSKEY_NAME_LENGTH }), {
      description: "What to call it; by default the browser and the system.",
    }),
  },
  reply: {
    passkey,
    recovery_codes: Type.Optional(recoveryCodesOf("Only with the caller's first second step.")),
  },
  errors: [errors.botsNotAccepted, errors.passkeyNotAccepted, errors.passkeyExists, errors.tooManyPasskeys],
  emits: [],
  isForSecondStepSetup: true,
  example: {
    parameters: { credential: created, name: "Laptop" },
    reply: { passkey: { ...examplePasskey, name: "Laptop" }, recovery_codes: exampleRecoveryCodes },
  },
  sample: () => ({ credential: created }),
});

export const updatePasskey = endpoint({
  name: "updatePasskey",
  subject: "Passkeys",
  method: "PATCH",
  path: "/passkeys/{passkey_id}",
  access: "user",
  summary: "Rename a passkey",
  description: "Gives one of the caller's passkeys another name. Bots can't call this.",
  parameters: {
    passkey_id: pathId,
    name: required(Type.String({ maxLength: MAX_PASSKEY_NAME_LENGTH }), { description: "The new name." }),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.passkeyDoesNotExist],
  emits: [],
  example: { parameters: { passkey_id: 4, name: "Laptop" }, reply: {} },
  sample: (ids) => ({ passkey_id: ids.passkeyId, name: "Laptop" }),
});

export const removePasskey = endpoint({
  name: "removePasskey",
  subject: "Passkeys",
  method: "DELETE",
  path: "/passkeys/{passkey_id}",
  access: "user",
  proof: strongest("passkey_removed"),
  summary: "Remove a passkey",
  description: `Nobody can sign in by it any more. All other sessions of the caller end, and the caller gets a mail. People who need a second step can't remove the only one. Bots can't call this.`,
  parameters: { passkey_id: pathId },
  reply: {},
  errors: [errors.botsNotAccepted, errors.passkeyDoesNotExist, errors.secondStepNeeded],
  emits: [],
  example: { parameters: { passkey_id: 4, password: "demo-password" }, reply: {} },
  sample: (ids) => ({ passkey_id: ids.passkeyId }),
});

export const startPasskeySignIn = endpoint({
  name: "startPasskeySignIn",
  subject: "Passkeys",
  method: "POST",
  path: "/session/passkey_options",
  access: "anyone",
  summary: "Start to sign in by a passkey",
  description: `Returns what a browser needs to use a passkey, of any person, and sets a cookie that binds the answer to the browser. \`POST /session/passkey\` takes the answer, once, within ${PASSKEY_CHALLENGE_MINUTES} minutes. The call must come from a page of the organization, as \`POST /session\` does.`,
  parameters: {},
  reply: { options: requestOptions },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      options: {
        rpId: "demo.test",
        challenge: "Y2hhbGxlbmdl",
        timeout: 300_000,
        userVerification: "required",
      },
    },
  },
  sample: () => ({}),
  startsSession: true,
});

export const startPasskeySession = endpoint({
  name: "startPasskeySession",
  subject: "Passkeys",
  method: "POST",
  path: "/session/passkey",
  access: "anyone",
  summary: "Sign in by a passkey",
  description:
    "Starts a session, as `POST /session` does, for the person whose passkey the browser has used. It needs neither the password nor a second step.",
  parameters: { credential: required(assertedCredential, { description: "What the browser returned." }) },
  reply: {
    email: Type.String({ description: "The user's email address." }),
    user_id: Type.Integer({ description: "The user's ID." }),
  },
  errors: [errors.passkeyNotAccepted, errors.authenticationFailed, errors.userDeactivated],
  emits: [],
  example: {
    parameters: { credential: asserted },
    reply: { email: "dev@demo.test", user_id: 5 },
  },
  sample: () => ({ credential: asserted }),
  startsSession: true,
});
