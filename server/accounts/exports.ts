import type { ModuleExports } from "../module-exports.ts";

const CREDENTIAL = "It is a credential.";
const STEP = "A step of a sign-in that is under way.";

export const accountExports: ModuleExports = {
  tables: [],
  leftOut: {
    asked_mails: "It counts mails to addresses.",
    external_identities: "They let people in by accounts elsewhere.",
    former_addresses: "They get mails about the account for a few days.",
    invitation_days: "It counts the invitations of a day.",
    invitations: "They let people in.",
    known_devices: "From where people sign in is their own.",
    mailed_codes: CREDENTIAL,
    passkey_challenges: STEP,
    passkeys: CREDENTIAL,
    pending_sign_ins: STEP,
    recovery_codes: CREDENTIAL,
    sessions: CREDENTIAL,
    sign_in_attempts: "It counts wrong passwords.",
    sign_in_networks: "From where people sign in is their own.",
    sign_in_steps: STEP,
    totp_secrets: CREDENTIAL,
  },
};
