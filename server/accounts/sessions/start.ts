import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_SESSIONS } from "../../../api/limits.ts";
import type { User } from "../../people/user.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { SessionCookie } from "../../platform/http/session-cookie.ts";
import { type Change, runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import type { Services } from "../../services.ts";
import { checkPasswordIsEnough } from "../second-steps/check-code.ts";
import { noteSignIn } from "../sign-in-notices/notices.ts";
import { endSessions } from "./end.ts";
import { newSessions, type SignedInBy, sessions } from "./live-sessions.ts";
import { insertSession, listSessionsOf } from "./store.ts";

/** Somebody who has shown who they are. */
export interface SignedIn {
  user: User;
  /**
   * The hash of the password that they have; null for none. With another one by now, no session begins.
   * Absent for somebody who has shown it in another way.
   */
  passwordHash?: string | null;
  /** By the password alone, as long as it does not say more. */
  by?: SignedInBy;
  /** Whether they showed a second step of the account too, after a provider said who they are. */
  hasShownStep?: boolean;
  /** Called when the account's row is locked. Throws if what they have shown no longer counts. */
  checkAgain?: (tx: Change) => Promise<void>;
}

/** Where they did that. */
export interface SignInPlace {
  cookie: SessionCookie;
  /** The IP address. */
  address: string;
  client: string;
}

/**
 * Starts a session in a browser, and sets its cookie. A session that the browser had ends first: nobody goes
 * on with a token that was there before. Throws `authenticationFailed` if the password was changed meanwhile.
 * Throws `secondStepRequired` if the password was not enough.
 */
export async function startSession(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  state: OrganizationState,
  { user, passwordHash, by = "password", hasShownStep = false, checkAgain }: SignedIn,
  { cookie, address, client }: SignInPlace,
): Promise<void> {
  const { keyring } = services;
  await endSessionOf(keyring, state, cookie.token);
  const token = keyring.newToken();
  const row = {
    userId: user.id,
    tokenHash: keyring.hash(token),
    device: cookie.device,
    network: networkOf(address),
    signedInBy: by,
    hasShownStep: hasShownStep || by === "second step" || by === "passkey",
  };
  await changeContent({ state, user, client, address }, async (tx) => {
    const session = await insertSession(tx, state.organizationId, row, passwordHash);
    if (!session) throw new ApiError(errors.authenticationFailed);
    // The account's row is locked by now, so a second step that is added meanwhile is seen.
    if (by === "password") await checkPasswordIsEnough(tx, user.id);
    await checkAgain?.(tx);
    tx.appendPatch(patchOf(newSessions, { put: [session] }));
  });
  if (state.get(sessions).ofUser(user.id).length > MAX_SESSIONS) await endOldest(state, user);
  cookie.set(token);
  await noteSignIn(services, state, user, { address, device: cookie.device });
}

async function endSessionOf(
  keyring: Services["keyring"],
  state: OrganizationState,
  token: string | undefined,
): Promise<void> {
  const hash = token === undefined ? undefined : keyring.hashToken(token)?.toString("base64");
  const session = hash === undefined ? undefined : state.get(sessions).find(hash);
  if (session) await runStateChange(state, (tx) => endSessions(tx, [session.id]));
}

async function endOldest(state: OrganizationState, user: User): Promise<void> {
  await runStateChange(state, async (tx) => {
    const all = await listSessionsOf(tx, state.organizationId, user.id);
    await endSessions(
      tx,
      all.slice(MAX_SESSIONS).map(({ id }) => id),
    );
  });
}
