import { markOnboardingStepAsSeen } from "../../../api/personal/onboarding-steps.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { markStepAsSeen } from "./actions.ts";

export const onboardingStepRoutes: Route[] = [
  route(markOnboardingStepAsSeen, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => markStepAsSeen(tx, params.onboardingStep));
    return {};
  }),
];
