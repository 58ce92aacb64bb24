import { roles } from "../../api/roles.ts";
import { eventNarrowOperators, withChannelIds } from "../messages/query/narrow/event-narrow.ts";
import type { ModuleParts } from "../module-parts.ts";
import type { RegisterSection } from "../people/viewer/register-section.ts";
import type { Services } from "../services.ts";
import { referencePages } from "./api-reference/pages.ts";
import { botChanges, botSerializer } from "./bots/events.ts";
import { botRoutes } from "./bots/handlers.ts";
import { queueDefaultsOf } from "./bots/queue-defaults.ts";
import { botSection } from "./bots/snapshot.ts";
import { integrationExports } from "./exports.ts";
import { eventRoutes } from "./real-time/handlers.ts";
import { forgetDeliveries } from "./webhooks/incoming/forget-deliveries.ts";
import { incomingWebhookRoutes } from "./webhooks/incoming/handlers.ts";
import { integrationPages } from "./webhooks/incoming/pages.ts";
import { incomingWebhookSection } from "./webhooks/incoming/snapshot.ts";
import { botCalls, callBot } from "./webhooks/outgoing/deliver.ts";
import { forgetCalls } from "./webhooks/outgoing/forget-deliveries.ts";
import { outgoingWebhookRoutes } from "./webhooks/outgoing/handlers.ts";

/** What the integrations need of all modules. */
interface Later {
  registerSections(made: Pick<Services, "config" | "keyring">): readonly RegisterSection[];
}

export const integrationsModule = (later: Later): ModuleParts => ({
  exports: integrationExports,
  projections: () => [botCalls],
  beforeCommitHooks: () => [botChanges],
  queues: ({ keyring }) => ({ serializers: [botSerializer(keyring)] }),
  registerSections: ({ keyring }) => [botSection(keyring), incomingWebhookSection],
  routes: (services) => [
    ...eventRoutes(services, later.registerSections(services), {
      narrowOperators: eventNarrowOperators,
      withChannelIds,
      canHearAllPublic: (viewer) => viewer.user.role < roles.guest,
      defaultsOf: queueDefaultsOf,
    }),
    ...botRoutes(services),
    ...incomingWebhookRoutes,
    ...outgoingWebhookRoutes,
  ],
  jobs: [forgetDeliveries, forgetCalls],
  outwardJobs: [callBot],
  pages: ({ config }) => [...referencePages(config), ...integrationPages(config)],
});
