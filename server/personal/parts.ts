import type { ModuleParts } from "../module-parts.ts";
import { disabledDrafts } from "./drafts/disabled-drafts.ts";
import { draftRoutes } from "./drafts/handlers.ts";
import { movedDrafts } from "./drafts/moved-topic.ts";
import { draftSection } from "./drafts/snapshot.ts";
import { personalExports } from "./exports.ts";
import { navigationViewRoutes } from "./navigation-views/handlers.ts";
import { navigationViewSection } from "./navigation-views/snapshot.ts";
import { onboardingStepRoutes } from "./onboarding-steps/handlers.ts";
import { onboardingStepSection } from "./onboarding-steps/snapshot.ts";
import { endedDeviceTokens } from "./push-devices/ended-sessions.ts";
import { pushDeviceRoutes } from "./push-devices/handlers.ts";
import { pushDeviceSection } from "./push-devices/snapshot.ts";
import { deliverReminder } from "./reminders/deliver.ts";
import { reminderRoutes } from "./reminders/handlers.ts";
import { reminderSection } from "./reminders/snapshot.ts";
import { savedSnippetRoutes } from "./saved-snippets/handlers.ts";
import { savedSnippetSection } from "./saved-snippets/snapshot.ts";
import { deliverScheduledMessage } from "./scheduled-messages/deliver.ts";
import { scheduledMessageRoutes } from "./scheduled-messages/handlers.ts";
import { movedScheduledMessages } from "./scheduled-messages/moved-topic.ts";
import { scheduledMessageSection } from "./scheduled-messages/snapshot.ts";

export const personalModule: ModuleParts = {
  exports: personalExports,
  beforeCommitHooks: () => [disabledDrafts, movedDrafts, movedScheduledMessages, endedDeviceTokens],
  registerSections: () => [
    savedSnippetSection,
    navigationViewSection,
    draftSection,
    onboardingStepSection,
    pushDeviceSection,
    scheduledMessageSection,
    reminderSection,
  ],
  routes: (services) => [
    ...savedSnippetRoutes(services),
    ...navigationViewRoutes(services),
    ...draftRoutes(services),
    ...onboardingStepRoutes,
    ...pushDeviceRoutes(services),
    ...scheduledMessageRoutes(services),
    ...reminderRoutes(services),
  ],
  outwardJobs: [deliverScheduledMessage, deliverReminder],
};
