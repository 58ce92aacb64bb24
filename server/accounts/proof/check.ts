/**
 * What counts as a fresh proof of who asks (decision 51). Somebody with another's browser, API key, mailbox
 * or password alone must not become the whole account. So with a second step, nothing but that step counts.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import { RECENT_PROOF_MINUTES } from "../../../api/limits.ts";
import type { ProofRule } from "../../../api/proof.ts";
import { roles } from "../../../api/roles.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import { presentPasswordHash } from "../../people/credentials.ts";
import type { User } from "../../people/user.ts";
import { checkNoSession, checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { AskedRule, ShownAgain } from "../../platform/http/proof.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { readIdentities } from "../providers/identities.ts";
import { checkCode, findKinds } from "../second-steps/check-code.ts";
import { kindsOf, type SecondStepsOf, secondSteps } from "../second-steps/second-steps.ts";
import { hasProofWithin } from "../sessions/store.ts";
import { checkNotMailed, mailedRefusal } from "./mailed-password.ts";
import { noteProof } from "./note.ts";
import { withNotice } from "./notice.ts";
import { checkOwnPassword } from "./own-password.ts";

/**
 * Checks what a call needs by its declaration, and returns the viewer for it. Throws what `checkFreshProof`
 * throws, `passwordSetByMail` and `apiKeyRequired`.
 */
export async function checkProof(
  services: Pick<Services, "keyring" | "mailer">,
  viewer: Viewer,
  asked: readonly AskedRule[],
  shown: ShownAgain & { address: string },
): Promise<Viewer> {
  const isOf = (one: AskedRule) => isMeant(viewer.state, viewer.user, one);
  const rules = asked.filter(isOf).map(({ rule }) => rule);
  if (rules.some(({ level }) => level === "API key")) checkNoSession(viewer);
  const isSession = viewer.credential?.kind === "session";
  const needsProof = ({ level }: ProofRule) =>
    level === "strongest" || (isSession && level === "in a session");
  const others = asked.filter((one) => (needsProof(one.rule) || one.rule.givesHighRole) && !isOf(one));
  const isBotThatPasses = viewer.user.botType !== null && rules.every(({ botsPass }) => botsPass);
  const isAsked = rules.some(needsProof) && !isBotThatPasses;
  const proven = isAsked ? await checkFreshProof(services.keyring, viewer, shown) : viewer;
  if (rules.some(({ givesHighRole }) => givesHighRole)) await checkNotMailed(viewer);
  const guarded =
    others.length === 0 ? proven : await whileNotMeant(proven, others, isAsked ? () => false : needsProof);
  if (isBotThatPasses) return guarded;
  const entries = asked.flatMap(({ rule }) => rule.entry ?? []);
  return entries.length === 0 ? guarded : withNotice(services, guarded, entries);
}

/** The account is found as the handler finds it, which refuses one that is not there. */
function isMeant(state: OrganizationState, user: User, { rule, named, role }: AskedRule): boolean {
  if (rule.administrator === undefined && rule.roleOf === undefined) return true;
  const account =
    typeof named === "string"
      ? findKnownByEmail(state, user, named)
      : findKnownById(state, user, Number(named));
  if (rule.roleOf !== undefined) return account !== undefined && account.role !== role;
  return account !== undefined && account.role <= roles.administrator;
}

/**
 * The named account may get another role until the change runs, also by what this node has not heard of. Then
 * the rules that were not for it are. `needsProof`: whether a rule needs more than the viewer has shown.
 */
async function whileNotMeant(
  viewer: Viewer,
  others: readonly AskedRule[],
  needsProof: (rule: ProofRule) => boolean,
): Promise<Viewer> {
  const { user } = viewer;
  const mayNeed = user.botType === null && others.some(({ rule }) => needsProof(rule));
  const refusal = mayNeed ? await refusalOf(viewer) : undefined;
  const mailed = others.some(({ rule }) => rule.givesHighRole) ? await mailedRefusal(viewer) : undefined;
  const checkProven = (present: OrganizationState) => {
    viewer.checkProven?.(present);
    const meant = others.filter((one) => isMeant(present, user, one));
    if (meant.some(({ rule }) => needsProof(rule))) {
      checkPerson(viewer);
      const steps = present.get(secondSteps).get(user.id);
      throw steps ? stepRequired(steps) : refusal;
    }
    if (mailed && meant.some(({ rule }) => rule.givesHighRole)) throw mailed;
  };
  return { ...viewer, checkProven };
}

/**
 * Checks that the viewer has shown who they are by the strongest that the account has, with the request or in
 * this session in the last minutes. Wrong passwords and codes count as those of a sign-in. Returns the viewer
 * for the change, which fails if a second step was added since. Throws `recentProofRequired` with what would
 * do, `noProofThere`, `wrongPassword`, `wrongSecondStep`, `tooManyWrongPasswords`, `tooManyWrongCodes`, and
 * `botsNotAccepted` for a bot.
 */
export async function checkFreshProof(
  keyring: Keyring,
  viewer: Viewer,
  { password, code, address }: ShownAgain & { address: string },
): Promise<Viewer> {
  checkPerson(viewer);
  const { state, user } = viewer;
  const byStep = hasStep(viewer);
  let proven = viewer;
  const isWithKey = viewer.credential?.kind === "API key";
  if (byStep && code !== undefined)
    await checkCode(keyring, state, { userId: user.id, code, address, isWithKey });
  else if (!byStep && password !== undefined) {
    const hash = await checkOwnPassword(keyring, viewer, password, address);
    proven = { ...viewer, hashOfShown: (text) => (text === password ? hash : undefined) };
  } else if (await isProofRecent(viewer)) return withProof(viewer, byStep);
  else throw await refusalOf(viewer);
  await noteProof(state.database, viewer, byStep);
  return withProof(proven, byStep);
}

/** Whether a change needs no further proof. */
export async function isProofRecent(viewer: Viewer): Promise<boolean> {
  const { state, credential } = viewer;
  const asked = { minutes: RECENT_PROOF_MINUTES, byStep: hasStep(viewer) };
  return (
    credential?.kind === "session" &&
    (await hasProofWithin(state.database, state.organizationId, credential.id, asked))
  );
}

function hasStep({ state, user }: Viewer): boolean {
  return state.get(secondSteps).has(user.id);
}

/** A password that was shown before a second step was added is no proof any more when the change runs. */
function withProof(viewer: Viewer, byStep: boolean): Viewer {
  if (byStep) return viewer;
  const { user } = viewer;
  const checkProven = (state: OrganizationState) => {
    const added = state.get(secondSteps).get(user.id);
    if (added) throw stepRequired(added);
  };
  return { ...viewer, checkProven };
}

/** Somebody with a second step has recovery codes too, which memory does not count. */
function stepRequired(steps: SecondStepsOf): Error {
  return new ApiError(errors.recentProofRequired, { kinds: kindsOf({ ...steps, recoveryCodes: 1 }) });
}

async function refusalOf({ state, user }: Viewer): Promise<Error> {
  const kinds = await kindsOfProof(state, user.id);
  return kinds.length > 0
    ? new ApiError(errors.recentProofRequired, { kinds })
    : new ApiError(errors.noProofThere);
}

/** By what an account can be shown to be one's own. The last two mean to sign in again. */
async function kindsOfProof(
  state: OrganizationState,
  userId: Viewer["user"]["id"],
): Promise<("password" | "totp" | "recovery_code" | "passkey" | "provider")[]> {
  const steps = await findKinds(state, userId);
  if (steps.length > 0) return steps;
  const hasPassword = (await presentPasswordHash(state, userId)) !== null;
  const hasIdentity = (await readIdentities(state, userId)).length > 0;
  return [...(hasPassword ? ["password" as const] : []), ...(hasIdentity ? ["provider" as const] : [])];
}
