import type { ModuleParts } from "../module-parts.ts";
import { deletionSerializer } from "./delete/events.ts";
import { messageSerializer } from "./delivery/event-serializer.ts";
import {
  allPublicAudience,
  allPublicListeners,
  channelMessageAudience,
  channelReadersAudience,
  messageSource,
  noteChannel,
} from "./delivery/message-log.ts";
import { messageReplayFilter } from "./delivery/replay-filter.ts";
import { contactsOfNewGuests } from "./direct-contacts.ts";
import { updateSerializer } from "./edit/events.ts";
import { messageExports } from "./exports.ts";
import { flagRoutes } from "./flags/handlers.ts";
import { returnedStars } from "./flags/returned-stars.ts";
import { flagSection } from "./flags/snapshot.ts";
import { messageRoutes, type SendOptions } from "./handlers.ts";
import { showLinkPreviews } from "./link-previews/show-previews.ts";
import { submessageRoutes } from "./polls/handlers.ts";
import { reactionRoutes } from "./reactions/handlers.ts";
import { closedHistories } from "./read-state/closed-histories.ts";
import { convertReadStates } from "./read-state/convert.ts";
import { flagSerializer } from "./read-state/event-serializer.ts";
import { readStateRoutes } from "./read-state/handlers.ts";
import { leftChannels } from "./read-state/left-channels.ts";
import { mutedSenders } from "./read-state/muted-senders.ts";
import { returnedChannels } from "./read-state/returned-channels.ts";
import { readStateSection } from "./read-state/snapshot.ts";
import { reportRoutes } from "./reports/handlers.ts";
import { expireMessages, expireMessagesOf } from "./retention/expire.ts";
import { SearchFollower } from "./search/follower.ts";
import { noteNews } from "./search/news.ts";
import { knownTopics } from "./send/known-topics.ts";
import { messageSection } from "./snapshot.ts";
import { editTypingSerializer, typingSerializer } from "./typing/event-serializer.ts";
import { typingRoutes } from "./typing/handlers.ts";

/** What the messages need of later modules. */
interface Later {
  defaultChannelOf: SendOptions["defaultChannelOf"];
}

export const messagesModule = (later: Later): ModuleParts => ({
  exports: messageExports,
  projections: () => [allPublicListeners, knownTopics],
  sources: [messageSource],
  listeners: [noteChannel, noteNews],
  beforeCommitHooks: () => [
    returnedChannels,
    leftChannels,
    closedHistories,
    returnedStars,
    mutedSenders,
    contactsOfNewGuests,
  ],
  queues: () => ({
    audiences: [channelMessageAudience, channelReadersAudience, allPublicAudience],
    serializers: [
      messageSerializer,
      deletionSerializer,
      updateSerializer,
      flagSerializer,
      typingSerializer,
      editTypingSerializer,
    ],
    replayFilters: [messageReplayFilter],
  }),
  registerSections: () => [messageSection, readStateSection, flagSection],
  routes: (services) => [
    ...messageRoutes({ defaultChannelOf: later.defaultChannelOf }),
    ...readStateRoutes,
    ...flagRoutes,
    ...reactionRoutes,
    ...submessageRoutes,
    ...reportRoutes(services),
    ...typingRoutes,
  ],
  jobs: [convertReadStates, expireMessages, expireMessagesOf, showLinkPreviews],
  followers: (services, report) => [new SearchFollower(services, report)],
});
