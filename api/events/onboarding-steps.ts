import { Type } from "typebox";
import { event } from "../event.ts";
import { onboardingStep } from "../personal/onboarding-steps.ts";

export const onboardingStepsChanged = event({
  type: "onboarding_steps",
  description: "The user has seen a hint for new people.",
  payload: {
    onboarding_steps: Type.Array(onboardingStep, { description: "The hints that the user has not seen." }),
  },
  example: { onboarding_steps: [{ type: "one_time_notice", name: "intro_resolve_topic" }] },
});
