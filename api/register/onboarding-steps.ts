import { Type } from "typebox";
import { onboardingStepsChanged } from "../events/onboarding-steps.ts";
import { nullable } from "../fields.ts";
import { registerSection } from "../register-section.ts";

export const registerOnboardingSteps = registerSection({
  fields: {
    onboarding_steps: onboardingStepsChanged.payload.onboarding_steps,
    navigation_tour_video_url: nullable(Type.String(), "A video that introduces the client: always null."),
  },
});
