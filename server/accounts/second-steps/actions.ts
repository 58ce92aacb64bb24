import type { AuditAction } from "../../../api/administration/audit-log.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { organization } from "../../organization/organization.ts";
import { lockAccount } from "../../people/credentials.ts";
import { type User, users } from "../../people/user.ts";
import { changeContent, changeState, type ViewerChange } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import type { Services } from "../../services.ts";
import { deletePasskeysOf } from "../passkeys/passkey-store.ts";
import { noteProof } from "../proof/note.ts";
import { listRemainingWays, type MailedList } from "../proof/remaining-ways.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { endIdentitiesByPassword } from "../providers/identities.ts";
import { withCodeLimits } from "./limits.ts";
import { giveRecoveryCodes } from "./recovery-codes.ts";
import { isRequiredOf } from "./required.ts";
import { hasSecondStep, type SecondStepsOf, secondSteps } from "./second-steps.ts";
import {
  deleteTotpSecret,
  findSecondSteps,
  findTotpSecret,
  replaceRecoveryCodes,
  updateTotpConfirmed,
  upsertTotpSecret,
} from "./store.ts";
import { newTotpSecret, stepOf, totpUri } from "./totp.ts";

type Parts = Pick<Services, "keyring" | "mailer">;

export interface TotpSetup {
  secret: string;
  uri: string;
}

/** Begins to set up an app. Nothing changes for the person until the first code is confirmed. */
export function beginTotp({ keyring }: Parts, viewer: Viewer): Promise<TotpSetup> {
  return changeContent(viewer, async (tx) => {
    checkPerson(tx.viewer);
    const { id } = tx.viewer.user;
    const secret = newTotpSecret();
    const isKept = await upsertTotpSecret(tx, tx.state.organizationId, id, keyring.encrypt(secret));
    if (!isKept) throw new ApiError(errors.secondStepExists);
    return setupOf(viewer.state, viewer.user, secret);
  });
}

/** What `beginTotp` returned, while it waits for the first code. */
export async function findStartedTotp(
  { keyring }: Parts,
  { state, user }: Viewer,
): Promise<TotpSetup | undefined> {
  const started = await findTotpSecret(state.database, state.organizationId, user.id);
  if (!started || started.isConfirmed) return undefined;
  return setupOf(state, user, keyring.decrypt(started.secret));
}

function setupOf(state: OrganizationState, { email }: User, secret: string): TotpSetup {
  return { secret, uri: totpUri(secret, state.get(organization).name, email) };
}

/** Sets an app up whose code this is. Returns new recovery codes. */
export async function finishTotp(
  services: Parts,
  viewer: Viewer,
  { code, address }: { code: string; address: string },
): Promise<string[]> {
  const { keyring } = services;
  const { state, user } = viewer;
  const started = await findTotpSecret(state.database, state.organizationId, user.id);
  if (started?.isConfirmed) throw new ApiError(errors.secondStepExists);
  if (!started) throw new ApiError(errors.secondStepNotStarted);
  const { secret } = started;
  let step: number | undefined;
  await withCodeLimits(state, { userId: user.id, address }, async () => {
    step = stepOf(keyring.decrypt(secret), code.replace(/\s/g, ""));
    return step !== undefined;
  });
  if (step === undefined) throw new ApiError(errors.wrongSecondStep);
  const used = { secret, step };
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    await lockAccount(tx, user.id);
    if (!(await updateTotpConfirmed(tx, state.organizationId, user.id, used)))
      throw new ApiError(errors.secondStepNotStarted);
    const codes = await giveRecoveryCodes(tx, keyring, user.id);
    await noteProof(tx, tx.viewer, true);
    await noteChange(tx, services, tx.viewer.user, {
      action: "second_step_added",
      what: "An authenticator app was added. All other sessions have ended.",
    });
    return codes;
  });
}

/** Throws `noSecondStep`, and `secondStepNeeded` if the organization requires one and there is no other. */
export function endTotp(services: Parts, viewer: Viewer): Promise<void> {
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    const { id } = tx.viewer.user;
    await lockAccount(tx, id);
    if (!(await deleteTotpSecret(tx, tx.state.organizationId, id))) throw new ApiError(errors.noSecondStep);
    checkMayBeWithout(tx, await findSecondSteps(tx, tx.state.organizationId, id));
    await noteChange(tx, services, tx.viewer.user, {
      action: "second_step_removed",
      what: "The authenticator app was removed. All other sessions have ended.",
    });
  });
}

/** Gives new recovery codes in place of the old ones. Throws `noSecondStep` for somebody without one. */
export function replaceCodes(services: Parts, viewer: Viewer): Promise<string[]> {
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    const { user } = tx.viewer;
    await lockAccount(tx, user.id);
    if (!hasSecondStep(await findSecondSteps(tx, tx.state.organizationId, user.id)))
      throw new ApiError(errors.noSecondStep);
    const codes = await giveRecoveryCodes(tx, services.keyring, user.id);
    const what = "There are new recovery codes. The old ones no longer work.";
    await noteSecurityChange(tx, services, user, { action: "recovery_codes_replaced", what });
    return codes;
  });
}

/**
 * Takes all second steps and passkeys of somebody away, on the command line, and ends the identities of
 * providers that were connected by the password alone. false: there was nothing of these.
 */
export async function resetSecondSteps(
  tx: Change,
  services: Parts & Pick<Services, "config">,
  userId: UserId,
): Promise<boolean> {
  const { organizationId } = tx.state;
  await lockAccount(tx, userId);
  const before = await findSecondSteps(tx, organizationId, userId);
  const user = tx.state.get(users).byId.get(userId);
  if (!user) return false;
  const hadIdentity = await endIdentitiesByPassword(tx, services, user);
  if (!hasSecondStep(before)) return hadIdentity;
  await deleteTotpSecret(tx, organizationId, userId);
  await deletePasskeysOf(tx, organizationId, userId);
  const lists = await listRemainingWays(tx, services, user);
  await noteChange(tx, services, user, {
    lists,
    action: "second_steps_reset",
    what: "The people who run the server removed your second steps and passkeys. All sessions have ended.",
  });
  return true;
}

/** Throws `secondStepNeeded` for somebody who must not be left without a second step. */
export function checkMayBeWithout(tx: ViewerChange, left: SecondStepsOf): void {
  if (!hasSecondStep(left) && isRequiredOf(tx.state, tx.viewer.user))
    throw new ApiError(errors.secondStepNeeded);
}

/**
 * Announces what the rows have by now. Sessions of the person end by a hook. Without a second step recovery
 * codes have nothing to recover.
 */
export async function noteChange(
  tx: Change,
  services: Parts,
  user: User,
  { action, what, lists = [] }: { action: AuditAction; what: string; lists?: readonly MailedList[] },
): Promise<void> {
  const { organizationId } = tx.state;
  const { userId, hasTotp, passkeys } = await findSecondSteps(tx, organizationId, user.id);
  const present = { userId, hasTotp, passkeys };
  if (!hasSecondStep(present)) await replaceRecoveryCodes(tx, organizationId, userId, []);
  tx.appendPatch(patchOf(secondSteps, present));
  await noteSecurityChange(tx, services, user, { action, what, lists });
}
