/**
 * What a sign-in keeps between two requests: in the database if it works once, else in the browser's
 * cookie.
 */
import type { UserId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import type { MappedAttributes } from "./attribute-mapping.ts";
import { type Flow, FORM } from "./flow-cookie.ts";
import {
  deleteExpiredSteps,
  deleteStep,
  type ExternalIdentity,
  findStep,
  insertStep,
  listSteps,
} from "./store.ts";

/** Somebody whom a provider knows, and who must show which account is theirs. */
export interface ConnectStep {
  kind: "connect";
  identity: ExternalIdentity;
  attributes: MappedAttributes;
  flow: Flow;
  /** What the form suggests. */
  email: string;
  reason: string;
}

/** Somebody whom a provider knows, and who must show the second step of the account. */
export interface SecondStep {
  kind: "second step";
  userId: UserId;
  identity: ExternalIdentity;
  /** Whether the identity is the account's already. */
  isConnected: boolean;
  attributes: MappedAttributes;
  flow: Flow;
}

/** Somebody who has signed in, and goes on in the desktop app. */
export interface DesktopStep {
  kind: "desktop";
  userId: UserId;
  identity: ExternalIdentity;
  next: string;
  /** Whether they have shown the account's second step. Absent in what an earlier release has kept. */
  hasShownStep?: boolean;
}

type Step = ConnectStep | SecondStep | DesktopStep;

/** A person must have the time to copy the code and to change to the app. */
const seconds = { connect: 600, "second step": 600, desktop: 300, done: 900 } as const;

/** Returns the token of the step. */
export async function keepStep(state: OrganizationState, keyring: Keyring, step: Step): Promise<string> {
  const token = keyring.newToken();
  const row = {
    tokenHash: hashOf(keyring, token),
    data: keyring.encrypt(JSON.stringify(step)),
    seconds: seconds[step.kind],
  };
  await insertStep(state.database, state.organizationId, row);
  return token;
}

/** Reads a step that can be taken later. */
export async function readStep<K extends Step["kind"]>(
  state: OrganizationState,
  keyring: Keyring,
  kind: K,
  token: string,
): Promise<Extract<Step, { kind: K }> | undefined> {
  const step = open(keyring, await findStep(state.database, state.organizationId, hashOf(keyring, token)));
  return isOfKind(step, kind) ? step : undefined;
}

/** Reads a step that nobody can take again. */
export async function takeStep<K extends Step["kind"]>(
  state: OrganizationState,
  keyring: Keyring,
  kind: K,
  token: string,
): Promise<Extract<Step, { kind: K }> | undefined> {
  const step = open(keyring, await deleteStep(state.database, state.organizationId, hashOf(keyring, token)));
  return isOfKind(step, kind) ? step : undefined;
}

/** Ends the steps of an account. Only what is encrypted names it, and a step is kept for minutes. */
export async function endStepsOf(tx: Change, keyring: Keyring, userId: UserId): Promise<void> {
  const { organizationId } = tx.state;
  for (const { tokenHash, data } of await listSteps(tx, organizationId)) {
    const step = open(keyring, data);
    if (step && "userId" in step && step.userId === userId) await deleteStep(tx, organizationId, tokenHash);
  }
}

/** Notes that a sign-in is done. Returns false if it was done before. */
export function markDone(state: OrganizationState, keyring: Keyring, { state: id }: Flow): Promise<boolean> {
  const row = { tokenHash: hashOf(keyring, id), data: null, seconds: seconds.done };
  return insertStep(state.database, state.organizationId, row);
}

export const forgetSignInSteps = definePeriodicJob({
  name: "forget_sign_in_steps",
  schedule: "23 * * * *",
  run: ({ database }: Pick<Services, "database">) => deleteExpiredSteps(database),
});

function hashOf(keyring: Keyring, token: string): Buffer {
  return keyring.hash(`sign-in step ${FORM} ${token}`);
}

function open(keyring: Keyring, data: Buffer | undefined): Step | undefined {
  return data && (JSON.parse(keyring.decrypt(data)) as Step);
}

function isOfKind<K extends Step["kind"]>(
  step: Step | undefined,
  kind: K,
): step is Extract<Step, { kind: K }> {
  return step?.kind === kind;
}
