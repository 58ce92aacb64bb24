import { markOnboardingStepAsSeen } from "../../../api/onboarding-steps.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { markStepAsSeen } from "./actions.ts";

export const onboardingStepRoutes: Route[] = [
  route(markOnboardingStepAsSeen, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => markStepAsSeen(tx, params.onboardingStep));
    return {};
  }),
];
