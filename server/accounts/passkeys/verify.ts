/**
 * What authenticators send, checked by `@simplewebauthn/server`. It throws plain errors for whatever is wrong
 * with an answer; all are one error here, which tells nothing.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { AssertedCredential, CreatedCredential } from "../../../api/accounts/passkeys.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Challenge, deleteChallenge } from "./challenge-store.ts";
import type { Passkey } from "./passkey-store.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Loaded when the first passkey is used: it and what it needs take some MB. */
export const webauthn = () => import("@simplewebauthn/server");

export interface Ceremony {
  state: OrganizationState;
  party: RelyingParty;
  browserHash: Buffer;
}

interface Created {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** Checks a new passkey, and uses its challenge up. Throws `passkeyNotAccepted`. */
export async function verifyNew(ceremony: Ceremony, credential: CreatedCredential): Promise<Created> {
  const { verifyRegistrationResponse } = await webauthn();
  const { id, response } = credential;
  const transports = response.transports ?? [];
  const answer: RegistrationResponseJSON = {
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: response.clientDataJSON,
      attestationObject: response.attestationObject,
    },
  };
  const { verified, registrationInfo } = await refused(ceremony, "registration", async (isExpected) => {
    await checkNoCertificates(response.attestationObject);
    return verifyRegistrationResponse({
      response: answer,
      expectedChallenge: isExpected,
      expectedOrigin: ceremony.party.origin,
      expectedRPID: ceremony.party.id,
      requireUserVerification: true,
    });
  });
  if (!verified) throw new ApiError(errors.passkeyNotAccepted);
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports };
}

/**
 * The options ask for no certificate of the device's maker, and browsers then send none. The library asks the
 * address that a certificate names whether it was revoked. Nobody may have the server call what they like.
 */
async function checkNoCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get("fmt");
  const isOwnSignature = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isOwnSignature) throw new Error("the passkey comes with a certificate");
}

/** Checks the use of a passkey, and uses its challenge up. Returns its counter. Throws as `verifyNew`. */
export async function verifyUse(
  ceremony: Ceremony,
  credential: AssertedCredential,
  passkey: Passkey | undefined,
): Promise<number> {
  const { verifyAuthenticationResponse } = await webauthn();
  const { id, response } = credential;
  const answer: AuthenticationResponseJSON = {
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
    },
  };
  const { verified, authenticationInfo } = await refused(ceremony, "sign-in", (isExpected) => {
    if (!passkey) throw new Error("nobody has this passkey");
    return verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: isExpected,
      expectedOrigin: ceremony.party.origin,
      expectedRPID: ceremony.party.id,
      requireUserVerification: true,
      // The counter is compared where it is written, so that of two uses at once one counts.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
  });
  if (!verified) throw new ApiError(errors.passkeyNotAccepted);
  return authenticationInfo.newCounter;
}

/** A failure of the database is none of the answer. */
async function refused<T>(
  { state, browserHash }: Ceremony,
  purpose: Challenge["purpose"],
  verify: (isExpected: (challenge: string) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const failures: unknown[] = [];
  const isExpected = async (challenge: string) => {
    try {
      const expected = { purpose, browserHash, challenge };
      return await deleteChallenge(state.database, state.organizationId, expected);
    } catch (error) {
      failures.push(error);
      return false;
    }
  };
  try {
    return await verify(isExpected);
  } catch {
    throw failures[0] ?? new ApiError(errors.passkeyNotAccepted);
  }
}
