import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { type OnboardingStepRecord, onboardingStepNames } from "../../../api/personal/onboarding-steps.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listSeenSteps } from "./store.ts";

/** The steps that a person has not seen. */
export async function listUnseenSteps(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<OnboardingStepRecord[]> {
  const seen = await listSeenSteps(tx, organizationId, userId);
  return onboardingStepNames
    .filter((name) => !seen.includes(name))
    .map((name) => ({ type: "one_time_notice", name }));
}
