/**
 * Identities of providers as ways into an account: connecting, asking for the second step, and ending. Each
 * connection and each end is mailed to the person, who can't switch that off, and is in the audit log.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Config } from "../../config.ts";
import { lockAccount, readPasswordHash } from "../../people/credentials.ts";
import type { User } from "../../people/user.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { findSecondStepSince } from "../second-steps/store.ts";
import { renewSessions } from "../sessions/end.ts";
import {
  type ConnectedBy,
  deleteIdentitiesByPassword,
  deleteIdentity,
  type ExternalIdentity,
  findIdentity,
  insertIdentity,
  type KnownIdentity,
  type ListedIdentity,
  listIdentities,
  updateIdentityStep,
  updateIdentityUse,
} from "./store.ts";

type Parts = Pick<Services, "config" | "keyring" | "mailer">;

/** Another request has used the same identity or step meanwhile. */
export class SignInOver extends Error {}

/** How somebody has shown that an account is theirs. */
export interface Shown {
  by: ConnectedBy;
  /** The hash of the password that they gave. */
  passwordHash?: string;
  /** Whether they have shown a second step of the account just now. */
  hasShownStep: boolean;
  /** Where they are. */
  from: { address: string; client: string };
}

/**
 * Whether somebody who signs in by this identity must show the account's second step too. They must if they
 * have not done so since the account has one: the identity may have been connected by a password that leaked.
 */
export async function needsSecondStep(
  db: Queryable,
  organizationId: OrganizationId,
  { userId, secondStepAt }: Pick<KnownIdentity, "userId" | "secondStepAt">,
): Promise<boolean> {
  const since = await findSecondStepSince(db, organizationId, userId);
  return since !== undefined && (secondStepAt === null || secondStepAt < since);
}

/** Throws `SignInOver` unless the account can be entered by this identity now, with nothing more. */
export async function checkIdentity(
  db: Queryable,
  organizationId: OrganizationId,
  identity: ExternalIdentity,
  userId: UserId,
): Promise<void> {
  const known = await findIdentity(db, organizationId, identity);
  const isEnough = known?.userId === userId && !(await needsSecondStep(db, organizationId, known));
  if (!isEnough) throw new SignInOver();
}

/** Connects an identity with an account that its person has shown to be theirs. Throws `SignInOver`. */
export async function connect(
  services: Parts,
  state: OrganizationState,
  identity: ExternalIdentity,
  user: User,
  { by, passwordHash, hasShownStep, from }: Shown,
): Promise<void> {
  const { organizationId } = state;
  await changeContent({ state, user, ...from }, async (tx) => {
    await lockAccount(tx, user.id);
    if (passwordHash !== undefined && (await readPasswordHash(tx, user.id)) !== passwordHash)
      throw new SignInOver();
    // A second step may have been added since the person was asked.
    if (!hasShownStep && (await findSecondStepSince(tx, organizationId, user.id))) throw new SignInOver();
    const row = { ...identity, userId: user.id, connectedBy: by, hasShownStep };
    if (await insertIdentity(tx, organizationId, row)) {
      const name = nameOf(services.config, identity.providerId);
      const what = `An account at ${name} can sign in to yours now.`;
      await noteSecurityChange(tx, services, tx.viewer.user, { action: "identity_connected", what });
      return;
    }
    if ((await updateIdentityUse(tx, organizationId, identity))?.userId !== user.id) throw new SignInOver();
    if (hasShownStep) await updateIdentityStep(tx, organizationId, identity, user.id);
  });
}

/** Notes that the person has shown the second step. Throws `SignInOver` if the identity was ended. */
export async function noteSecondStep(
  { database, organizationId }: OrganizationState,
  identity: ExternalIdentity,
  userId: UserId,
): Promise<void> {
  if (!(await updateIdentityStep(database, organizationId, identity, userId))) throw new SignInOver();
}

/** The ways into an account by a provider, the oldest first. */
export function readIdentities(
  { database, organizationId }: OrganizationState,
  userId: UserId,
): Promise<ListedIdentity[]> {
  return listIdentities(database, organizationId, userId);
}

/** Ends one of the viewer's identities, and all other sessions. Throws `identityDoesNotExist`. */
export function endOwnIdentity(services: Parts, viewer: Viewer, id: number): Promise<void> {
  return changeState(viewer, async (tx) => {
    checkPerson(tx.viewer);
    await endIdentity(tx, services, tx.viewer.user, id);
  });
}

/** The same for anybody, on the command line. */
export async function endIdentity(tx: Change, services: Parts, user: User, id: number): Promise<void> {
  await lockAccount(tx, user.id);
  const providerId = await deleteIdentity(tx, tx.state.organizationId, user.id, id);
  if (providerId === undefined) throw new ApiError(errors.identityDoesNotExist);
  await noteEnd(tx, services, user, [providerId]);
}

/**
 * Ends what was connected by the password alone, when that may have been in wrong hands. The caller has
 * locked the account. Returns whether there was any.
 */
export async function endIdentitiesByPassword(tx: Change, services: Parts, user: User): Promise<boolean> {
  const providerIds = await deleteIdentitiesByPassword(tx, tx.state.organizationId, user.id);
  if (providerIds.length > 0) await noteEnd(tx, services, user, providerIds);
  return providerIds.length > 0;
}

async function noteEnd(
  tx: Change,
  services: Parts,
  user: User,
  providerIds: readonly string[],
): Promise<void> {
  await renewSessions(tx, services.keyring, user.id);
  const names = [...new Set(providerIds.map((id) => nameOf(services.config, id)))].join(", ");
  const what = `Your account can no longer be entered by an account at ${names}. All other sessions have ended.`;
  const times = providerIds.length;
  await noteSecurityChange(tx, services, user, { action: "identity_removed", what, times });
}

/** The operator may have taken a provider out of the settings. */
export function nameOf({ providers }: Pick<Config, "providers">, providerId: string): string {
  return providers.find(({ id }) => id === providerId)?.name ?? providerId;
}
