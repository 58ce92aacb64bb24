import { ApiError, errors } from "../../../api/errors.ts";
import { onboardingStepsChanged } from "../../../api/events/onboarding-steps.ts";
import { onboardingStepNames } from "../../../api/personal/onboarding-steps.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { listUnseenSteps } from "./steps.ts";
import { insertSeenStep } from "./store.ts";

/** Notes that the viewer has seen a step. The viewer's clients get an event if that is new. */
export async function markStepAsSeen(tx: ViewerChange, name: string): Promise<void> {
  if (!onboardingStepNames.includes(name)) throw new ApiError(errors.unknownOnboardingStep, { name });
  const { organizationId } = tx.state;
  const { id: userId } = tx.viewer.user;
  // The event lists all other steps, so no two steps may be marked at the same time.
  await lockOwnLists(tx, userId);
  if (!(await insertSeenStep(tx, organizationId, userId, name))) return;
  const onboarding_steps = await listUnseenSteps(tx, organizationId, userId);
  tx.append(onboardingStepsChanged, { onboarding_steps }, toUsers([userId]));
}
