import { type Static, Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";

/** A hint that a client shows once to each person. */
export const onboardingStep = Type.Object({
  type: Type.Literal("one_time_notice", { description: "Always `one_time_notice`: a text to show once." }),
  name: Type.String({ description: "Which hint it is." }),
});

export type OnboardingStepRecord = Static<typeof onboardingStep>;

/** COMPAT: the hints that clients know, in the order in which they are listed. */
export const onboardingStepNames: readonly string[] = [
  "visibility_policy_banner",
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fading",
  "interleaved_view_messages_fading",
  "intro_resolve_topic",
];

export const markOnboardingStepAsSeen = endpoint({
  name: "markOnboardingStepAsSeen",
  subject: "Onboarding steps",
  method: "POST",
  path: "/users/me/onboarding_steps",
  access: "user",
  summary: "Mark an onboarding step as seen",
  description:
    "Says that the caller has seen a hint for new people, so that no client shows it again. A step that was seen before stays seen.",
  parameters: {
    onboarding_step: required(Type.String({ maxLength: 100 }), {
      description: `The name of the step: ${onboardingStepNames.map((name) => `\`${name}\``).join(", ")}.`,
    }),
  },
  reply: {},
  errors: [errors.unknownOnboardingStep],
  emits: ["onboarding_steps"],
  example: { parameters: { onboarding_step: "intro_inbox_view_modal" }, reply: {} },
  sample: () => ({ onboarding_step: "intro_inbox_view_modal" }),
});
