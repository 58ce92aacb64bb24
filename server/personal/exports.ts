import type { ModuleExports } from "../module-exports.ts";

const OWN = "People keep it for themselves.";

export const personalExports: ModuleExports = {
  tables: [],
  leftOut: {
    device_tokens: "They lead to people's telephones.",
    drafts: OWN,
    navigation_views: OWN,
    reminders: OWN,
    saved_snippets: OWN,
    scheduled_messages: "They are not sent yet.",
    seen_onboarding_steps: OWN,
  },
};
