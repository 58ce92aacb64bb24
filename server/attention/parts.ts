import type { ModuleParts } from "../module-parts.ts";
import { alertWords } from "./alert-words/alert-words.ts";
import { alertWordRoutes } from "./alert-words/handlers.ts";
import { alertWordSection } from "./alert-words/snapshot.ts";
import { attentionExports } from "./exports.ts";
import { mutedUserRoutes } from "./muted-users/handlers.ts";
import { mutedUsers } from "./muted-users/muted-users.ts";
import { mutedUserSection } from "./muted-users/snapshot.ts";
import { mutedTopicsSerializer, userTopicSerializer } from "./user-topics/event-serializer.ts";
import { userTopicRoutes } from "./user-topics/handlers.ts";
import { userTopicSection } from "./user-topics/snapshot.ts";
import { userTopics } from "./user-topics/topic-policies.ts";

export const attentionModule: ModuleParts = {
  exports: attentionExports,
  projections: () => [alertWords, mutedUsers, userTopics],
  queues: () => ({ serializers: [userTopicSerializer, mutedTopicsSerializer] }),
  registerSections: () => [userTopicSection, alertWordSection, mutedUserSection],
  routes: (services) => [...userTopicRoutes(services), ...alertWordRoutes, ...mutedUserRoutes],
};
