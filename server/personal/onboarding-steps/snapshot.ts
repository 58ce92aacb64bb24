import { registerOnboardingSteps } from "../../../api/register/onboarding-steps.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { unseenSteps } from "./steps.ts";
import { seenSteps } from "./store.ts";

export const onboardingStepSection = sectionOf(
  registerOnboardingSteps,
  async ({ viewer, own, wants }) => {
    if (!wants("onboarding_steps")) return undefined;
    const unseen = viewer ? unseenSteps(await own(seenSteps)) : [];
    return { onboarding_steps: unseen, navigation_tour_video_url: null };
  },
  seenSteps,
);
