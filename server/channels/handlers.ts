import {
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getChannels,
} from "../../api/channels/channels.ts";
import { createChannel } from "../../api/channels/new-channel.ts";
import { Quotas } from "../people/quotas/quotas.ts";
import { changeState } from "../people/viewer/change.ts";
import { route } from "../people/viewer/route.ts";
import type { Route } from "../platform/http/handler.ts";
import type { Services } from "../services.ts";
import { accessChannel, accessChannelByName, accessMailSender } from "./access.ts";
import { createWithSubscribers } from "./create/create-with-subscribers.ts";
import { newChannelSettings } from "./create/settings.ts";
import { defaultChannelRoutes } from "./defaults/handlers.ts";
import { listChannelsFor } from "./list.ts";
import { analyzeIfMany } from "./subscriptions/bulk.ts";
import { subscriptionRoutes } from "./subscriptions/handlers.ts";
import { accessPrincipals } from "./subscriptions/principals.ts";
import { readChannelObject, readChannelObjects } from "./subscriptions/records.ts";

export function channelRoutes(services: Pick<Services, "config" | "database">): Route[] {
  const { config } = services;
  const quotas = new Quotas(config);
  return [
    ...subscriptionRoutes(services),
    ...defaultChannelRoutes,
    route(createChannel, async ({ viewer, params }) => {
      const channel = await changeState(viewer, (tx) =>
        createWithSubscribers(tx, {
          name: params.name,
          description: params.description,
          targets: accessPrincipals(tx.viewer, params.subscribers),
          settings: newChannelSettings(params, config.webPublicStreams),
          quotas,
          isAnnounced: params.announce ?? false,
        }),
      );
      await analyzeIfMany(services.database, params.subscribers.length);
      return { id: channel.id };
    }),
    route(getChannelEmailAddress, ({ viewer, params }) => {
      accessChannel(viewer, params.streamId);
      if (params.senderId !== undefined) accessMailSender(viewer, params.senderId);
      // No mail becomes a message here.
      return { email: "" };
    }),
    route(getChannelId, ({ viewer, params }) => ({
      stream_id: accessChannelByName(viewer, params.stream).id,
    })),
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
