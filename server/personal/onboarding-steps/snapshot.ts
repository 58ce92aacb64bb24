import { registerOnboardingSteps } from "../../../api/register/onboarding-steps.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { listUnseenSteps } from "./steps.ts";

export const onboardingStepSection = sectionOf(
  registerOnboardingSteps,
  async ({ state, viewer, tx, wants }) => {
    if (!wants("onboarding_steps")) return undefined;
    const unseen = viewer ? await listUnseenSteps(tx, state.organizationId, viewer.user.id) : [];
    return { onboarding_steps: unseen, navigation_tour_video_url: null };
  },
);
