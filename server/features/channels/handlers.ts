import { getChannel, getChannels } from "../../../api/channels.ts";
import { getSubscriptions, subscribe, unsubscribe } from "../../../api/subscriptions.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { changeState } from "../users/change.ts";
import { accessPrincipals } from "../users/principals.ts";
import { route } from "../users/route.ts";
import type { User } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import { accessChannel } from "./access.ts";
import { newChannelSettings } from "./create/settings.ts";
import { defaultChannelRoutes } from "./defaults/handlers.ts";
import { listChannelsFor } from "./list.ts";
import { subscriptionRoutes } from "./subscriptions/handlers.ts";
import { presentSubscribed, presentUnsubscribed } from "./subscriptions/present-outcomes.ts";
import { readChannelObject, readChannelObjects, readChannelRecords } from "./subscriptions/records.ts";
import { subscribeByName } from "./subscriptions/subscribe-by-name.ts";
import { unsubscribeByName } from "./subscriptions/unsubscribe-by-name.ts";

export function channelRoutes(services: Services): Route[] {
  const { config } = services;
  return [
    ...subscriptionRoutes(services),
    ...defaultChannelRoutes,
    route(subscribe, async ({ viewer, params }) => {
      const { outcomes, unauthorized, areTold } = await changeState(viewer, (tx) =>
        subscribeByName(tx, {
          channels: params.subscriptions,
          targets: targetsOf(tx.viewer, params.principals),
          isFatal: params.authorizationErrorsFatal ?? true,
          settings: newChannelSettings(params, config.webPublicStreams),
          isAnnounced: params.announce ?? false,
          isTold: params.sendNewSubscriptionMessages ?? true,
        }),
      );
      return {
        ...presentSubscribed(outcomes),
        ...(params.authorizationErrorsFatal === false && { unauthorized }),
        ...(params.sendNewSubscriptionMessages !== false && { new_subscription_messages_sent: areTold }),
      };
    }),
    route(unsubscribe, async ({ viewer, params }) => {
      const outcomes = await changeState(viewer, (tx) => {
        const targets = targetsOf(tx.viewer, params.principals);
        return unsubscribeByName(tx, { names: params.subscriptions, targets });
      });
      return presentUnsubscribed(outcomes);
    }),
    route(getSubscriptions, async ({ state, viewer, params }) => {
      const records = await readChannelRecords(state, state.database, viewer.user, {
        subscribers:
          params.includeSubscribers === "partial" ? "partial" : `${params.includeSubscribers ?? false}`,
        hasArchived: false,
        canInherit: true,
      });
      return { subscriptions: records.subscribed() };
    }),
    route(getChannels, async ({ state, viewer, params }) => {
      const listed = listChannelsFor(viewer, {
        isPublic: params.includePublic ?? true,
        isWebPublic: params.includeWebPublic ?? false,
        isSubscribed: params.includeSubscribed ?? true,
        isReadable: params.includeCanAccessContent ?? false,
        isSubscribedByOwner: params.includeOwnerSubscribed ?? false,
        isAny: params.includeAll ?? false,
        isArchived: params.excludeArchived === false,
      });
      return {
        streams: await readChannelObjects(state, listed, { hasDefault: params.includeDefault ?? false }),
      };
    }),
    route(getChannel, async ({ state, viewer, params }) => {
      const channel = accessChannel(viewer, params.streamId);
      return { stream: await readChannelObject(state, channel) };
    }),
  ];
}

/** COMPAT: some clients always send the list, empty where they mean the caller. */
function targetsOf(viewer: Viewer, principals: readonly (number | string)[] = []): User[] {
  return principals.length === 0 ? [viewer.user] : accessPrincipals(viewer, principals);
}
