import { randomBytes } from "node:crypto";
import type { CreatedCredential, CreationOptions } from "../../../api/accounts/passkeys.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS, PASSKEY_CHALLENGE_MINUTES } from "../../../api/limits.ts";
import { organization } from "../../organization/organization.ts";
import { lockAccount } from "../../people/credentials.ts";
import type { User } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { noteProof } from "../proof/note.ts";
import { checkMayBeWithout, noteChange } from "../second-steps/actions.ts";
import { giveRecoveryCodes } from "../second-steps/recovery-codes.ts";
import { secondSteps } from "../second-steps/second-steps.ts";
import { findSecondSteps } from "../second-steps/store.ts";
import { insertChallenge } from "./challenge-store.ts";
import { deletePasskey, insertPasskey, listPasskeys, type Passkey } from "./passkey-store.ts";
import type { RelyingParty } from "./relying-party.ts";
import { verifyNew, webauthn } from "./verify.ts";

type Parts = Pick<Services, "keyring" | "mailer">;

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = PASSKEY_CHALLENGE_MINUTES * 60_000;
const PUBLIC_KEY = "public-key" as const;

/** What a browser needs to make a passkey. Its answer must come with the same credentials. */
export async function startRegistration(
  { keyring }: Parts,
  viewer: Viewer,
  party: RelyingParty,
): Promise<CreationOptions> {
  const { state, user } = viewer;
  const own = await listPasskeys(state.database, state.organizationId, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const challenge = randomBytes(CHALLENGE_BYTES);
  const options = await generateRegistrationOptions({
    rpName: state.get(organization).name,
    rpID: party.id,
    userID: new Uint8Array(userHandle(keyring, state, user)),
    userName: user.email,
    userDisplayName: user.fullName,
    challenge: new Uint8Array(challenge),
  });
  const browserHash = hashOfAsker(keyring, viewer);
  const asked = { purpose: "registration", browserHash, challenge: options.challenge } as const;
  await insertChallenge(state.database, state.organizationId, asked);
  return {
    rp: { id: party.id, name: options.rp.name },
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ alg, type: PUBLIC_KEY })),
    timeout: TIMEOUT_MS,
    attestation: "none",
    excludeCredentials: own.map(({ credentialId: id, transports }) => ({ id, type: PUBLIC_KEY, transports })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/**
 * Adds a passkey. Returns it, and recovery codes if the person had none. Throws `passkeyNotAccepted`,
 * `passkeyExists` and `tooManyPasskeys`.
 */
export async function finishRegistration(
  services: Parts,
  viewer: Viewer,
  { credential, name, party }: { credential: CreatedCredential; name: string; party: RelyingParty },
): Promise<{ passkey: Passkey; codes: string[] | undefined }> {
  const { keyring } = services;
  const { state } = viewer;
  const browserHash = hashOfAsker(keyring, viewer);
  const created = await verifyNew({ state, party, browserHash }, credential);
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    const { user } = tx.viewer;
    const { organizationId } = tx.state;
    await lockAccount(tx, user.id);
    if (!hashOfAsker(keyring, tx.viewer).equals(browserHash)) throw new ApiError(errors.passkeyNotAccepted);
    const before = await findSecondSteps(tx, organizationId, user.id);
    if (before.passkeys >= MAX_PASSKEYS) throw new ApiError(errors.tooManyPasskeys, { limit: MAX_PASSKEYS });
    const passkey = await insertPasskey(tx, organizationId, { ...created, userId: user.id, name });
    if (!passkey) throw new ApiError(errors.passkeyExists);
    const isFirst = !before.hasTotp && before.passkeys === 0;
    const codes = isFirst ? await giveRecoveryCodes(tx, keyring, user.id) : undefined;
    await noteProof(tx, tx.viewer, true);
    await noteChange(tx, services, user, {
      action: "passkey_added",
      what: `The passkey “${name}” was added. All other sessions have ended.`,
    });
    return { passkey, codes };
  });
}

/** Throws `passkeyDoesNotExist`, and `secondStepNeeded` if the organization requires one more. */
export function withdrawPasskey(services: Parts, viewer: Viewer, id: number): Promise<void> {
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    const { user } = tx.viewer;
    const { organizationId } = tx.state;
    await lockAccount(tx, user.id);
    const name = await deletePasskey(tx, organizationId, { userId: user.id, id });
    if (name === undefined) throw new ApiError(errors.passkeyDoesNotExist);
    checkMayBeWithout(tx, await findSecondSteps(tx, organizationId, user.id));
    await noteChange(tx, services, user, {
      action: "passkey_removed",
      what: `The passkey “${name}” was removed. All other sessions have ended.`,
    });
  });
}

/** A name for people; without one, what the device is. */
export function passkeyName(text: string | undefined, device: string): string {
  const name = (text ?? "").trim();
  return (name === "" ? device : name).slice(0, MAX_PASSKEY_NAME_LENGTH);
}

/** What authenticators know a person by. It tells nothing of the account. */
function userHandle(keyring: Keyring, { organizationId }: OrganizationState, { id }: User): Buffer {
  return keyring.hash(`passkeys of user ${id} in organization ${organizationId}`);
}

/**
 * The registration goes on with the credentials that began it, and only while the person has the same second
 * steps: who began it by a password alone must not end it when there is a step.
 */
function hashOfAsker(keyring: Keyring, { state, user, credential }: Viewer): Buffer {
  const steps = state.get(secondSteps).get(user.id);
  const present = `app ${steps?.hasTotp ?? false}, passkeys ${steps?.passkeys ?? 0}`;
  return keyring.hash(`passkey for ${credential?.kind} ${credential?.hash} with ${present}`);
}
