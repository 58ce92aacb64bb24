import { randomBytes } from "node:crypto";
import type { AssertedCredential } from "../../../api/accounts/passkeys.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { PASSKEY_CHALLENGE_MINUTES } from "../../../api/limits.ts";
import { presentPasswordHash } from "../../people/credentials.ts";
import { users } from "../../people/user.ts";
import type { TokenCookie } from "../../platform/http/session-cookie.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { mailChange } from "../proof/mails.ts";
import type { SignedIn } from "../sessions/start.ts";
import { noteFailure } from "../sign-in/failures.ts";
import { insertChallenge } from "./challenge-store.ts";
import { findPasskey, type Passkey, updatePasskeyUse } from "./passkey-store.ts";
import type { RelyingParty } from "./relying-party.ts";
import { verifyUse, webauthn } from "./verify.ts";

type Parts = Pick<Services, "keyring" | "mailer" | "log">;

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = PASSKEY_CHALLENGE_MINUTES * 60_000;

/** What a browser needs to use any passkey that it has. Its answer must come from the same browser. */
export async function startSignIn(
  { keyring }: Parts,
  state: OrganizationState,
  { party, cookie }: { party: RelyingParty; cookie: TokenCookie },
) {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(randomBytes(CHALLENGE_BYTES)),
  });
  // A token that the browser has may be of a sign-in on the page, which goes on.
  const known = keyring.hashToken(cookie.token ?? "") ? cookie.token : undefined;
  const token = known ?? keyring.newToken();
  cookie.set(token);
  const browserHash = keyring.hash(token);
  const asked = { purpose: "sign-in", browserHash, challenge: options.challenge } as const;
  await insertChallenge(state.database, state.organizationId, asked);
  return {
    rpId: party.id,
    challenge: options.challenge,
    timeout: TIMEOUT_MS,
    userVerification: "required" as const,
  };
}

/** The person whose passkey this is. Throws `passkeyNotAccepted` and `userDeactivated`. */
export async function signInByPasskey(
  services: Parts,
  state: OrganizationState,
  { address, ...shown }: ShownPasskey & { address: string },
): Promise<SignedIn> {
  try {
    return await checkPasskey(services, state, shown);
  } catch (error) {
    const isWrong = error instanceof ApiError && error.declaration.name === errors.passkeyNotAccepted.name;
    if (isWrong) noteFailure(state, { reason: "passkey", address });
    throw error;
  }
}

interface ShownPasskey {
  credential: AssertedCredential;
  party: RelyingParty;
  cookie: TokenCookie;
}

async function checkPasskey(
  services: Parts,
  state: OrganizationState,
  { credential, party, cookie }: ShownPasskey,
): Promise<SignedIn> {
  const { database, organizationId } = state;
  const browserHash = services.keyring.hashToken(cookie.token ?? "");
  if (!browserHash) throw new ApiError(errors.passkeyNotAccepted);
  const passkey = await findPasskey(database, organizationId, credential.id);
  const counter = await verifyUse({ state, party, browserHash }, credential, passkey);
  const user = passkey && state.get(users).byId.get(passkey.userId);
  if (!passkey || !user) throw new ApiError(errors.passkeyNotAccepted);
  if (!user.isActive) throw new ApiError(errors.userDeactivated);
  if (!(await updatePasskeyUse(database, organizationId, passkey.id, counter))) {
    await warnOfCopy(services, state, passkey);
    throw new ApiError(errors.passkeyNotAccepted);
  }
  return {
    user,
    passwordHash: await presentPasswordHash(state, user.id),
    by: "passkey",
    async checkAgain(tx) {
      const present = await findPasskey(tx, organizationId, credential.id);
      if (present?.id !== passkey.id) throw new ApiError(errors.passkeyNotAccepted);
    },
  };
}

/** A counter that does not go up means that two devices have the key, one of them perhaps a thief's. */
async function warnOfCopy(services: Parts, state: OrganizationState, { id, userId, name }: Passkey) {
  services.log.warn(
    { organizationId: state.organizationId, userId, passkeyId: id },
    "a passkey may be copied",
  );
  const user = state.get(users).byId.get(userId);
  if (!user) return;
  const what = `A sign-in by the passkey “${name}” was refused, because there may be a copy of it. Remove it, and add a new one.`;
  await runContentChange(state, (tx) => mailChange(tx, services, user, { what }));
}
