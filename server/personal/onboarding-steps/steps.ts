import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { type OnboardingStepRecord, onboardingStepNames } from "../../../api/personal/onboarding-steps.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { seenSteps } from "./store.ts";

/** The steps that a person has not seen. */
export async function listUnseenSteps(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<OnboardingStepRecord[]> {
  return unseenSteps(await seenSteps.list(tx, organizationId, userId));
}

/** The steps that are not among those that a person has seen. */
export function unseenSteps(seen: readonly { name: string }[]): OnboardingStepRecord[] {
  const names = new Set(seen.map(({ name }) => name));
  return onboardingStepNames
    .filter((name) => !names.has(name))
    .map((name) => ({ type: "one_time_notice", name }));
}
