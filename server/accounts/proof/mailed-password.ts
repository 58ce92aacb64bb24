import { ApiError, errors } from "../../../api/errors.ts";
import { MAILED_PASSWORD_HOURS } from "../../../api/limits.ts";
import { passwordMailedAt } from "../../people/credentials.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { findSecondStepSince } from "../second-steps/store.ts";

const WAIT_MS = MAILED_PASSWORD_HOURS * 3_600_000;

/**
 * Throws `passwordSetByMail` while a password that was set by mail is new: somebody may have the mailbox
 * alone. A second step that was there before shows more than the mailbox. One that was added since shows
 * nothing, as the password was enough to add it.
 */
export async function checkNotMailed(viewer: Pick<Viewer, "state" | "user">): Promise<void> {
  const refusal = await mailedRefusal(viewer);
  if (refusal) throw refusal;
}

/** The same, as the error to throw later. */
export async function mailedRefusal({
  state,
  user,
}: Pick<Viewer, "state" | "user">): Promise<Error | undefined> {
  const mailedAt = await passwordMailedAt(state, user.id);
  if (mailedAt === null) return undefined;
  const until = mailedAt.getTime() + WAIT_MS;
  if (until <= Date.now()) return undefined;
  const stepSince = await findSecondStepSince(state.database, state.organizationId, user.id);
  if (stepSince !== undefined && stepSince <= mailedAt) return undefined;
  return new ApiError(errors.passwordSetByMail, { until: presentTime(new Date(until)) });
}

function presentTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
