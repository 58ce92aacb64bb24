import type { EventOf } from "../../api/event.ts";
import type { onboardingStepsChanged } from "../../api/events/onboarding-steps.ts";
import type { Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type Step = EventOf<typeof onboardingStepsChanged>["onboarding_steps"][number];

/** The hints for new people that the viewer has not seen. */
export class OnboardingSteps implements Subject {
  names: readonly string[] = [];
  readonly handlers = {
    onboarding_steps: (event: EventOf<typeof onboardingStepsChanged>) =>
      this.#replace(event.onboarding_steps),
  };

  readonly keys = ["onboarding_steps"];

  static fromSnapshot(snapshot: WireObject): OnboardingSteps {
    const own = new OnboardingSteps();
    own.#replace(section<Step>(snapshot, "onboarding_steps"));
    return own;
  }

  comparable(): unknown {
    return [...this.names];
  }

  #replace(steps: readonly Step[]): void {
    this.names = steps.map(({ name }) => name);
  }
}
