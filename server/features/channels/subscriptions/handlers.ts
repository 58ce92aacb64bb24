import { getChannelEmailAddress, getChannelId } from "../../../../api/channels.ts";
import { ApiError, errors } from "../../../../api/errors.ts";
import { createChannel } from "../../../../api/new-channel.ts";
import {
  changeSubscriptions,
  getChannelSubscribers,
  getSubscriptionStatus,
  updateSubscription,
  updateSubscriptionProperties,
} from "../../../../api/subscriptions.ts";
import type { Route } from "../../../platform/http/handler.ts";
import type { Services } from "../../../services.ts";
import { changeContent, changeState } from "../../users/change.ts";
import { accessPrincipals } from "../../users/principals.ts";
import { route } from "../../users/route.ts";
import { users } from "../../users/user.ts";
import { accessChannel, accessChannelByName, accessMailSender } from "../access.ts";
import { createWithSubscribers } from "../create/create-with-subscribers.ts";
import { newChannelSettings } from "../create/settings.ts";
import { changePreferences } from "./preferences.ts";
import { presentSubscribed, presentUnsubscribed } from "./present-outcomes.ts";
import { subscribeByName } from "./subscribe-by-name.ts";
import { subscriberList } from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";
import { unsubscribeByName } from "./unsubscribe-by-name.ts";

export function subscriptionRoutes({ config }: Services): Route[] {
  return [
    route(createChannel, async ({ viewer, params }) => {
      const channel = await changeState(viewer, (tx) =>
        createWithSubscribers(tx, {
          name: params.name,
          description: params.description,
          targets: accessPrincipals(tx.viewer, params.subscribers),
          settings: newChannelSettings(params, config.webPublicStreams),
          isAnnounced: params.announce ?? false,
        }),
      );
      return { id: channel.id };
    }),
    route(changeSubscriptions, async ({ viewer, params }) => {
      const { add = [], delete: remove = [] } = params;
      if (add.length === 0 && remove.length === 0) throw new ApiError(errors.nothingToChange);
      return changeState(viewer, async (tx) => {
        const targets = [tx.viewer.user];
        const { outcomes } = await subscribeByName(tx, {
          channels: add,
          targets,
          isFatal: true,
          settings: newChannelSettings({}, config.webPublicStreams),
          isAnnounced: false,
          isTold: false,
        });
        const left = await unsubscribeByName(tx, { names: remove, targets });
        return { ...presentSubscribed(outcomes), ...presentUnsubscribed(left) };
      });
    }),
    route(updateSubscriptionProperties, async ({ viewer, params }) => {
      const changes = params.subscriptionData.map(({ stream_id, ...change }) => ({
        channelId: stream_id,
        ...change,
      }));
      await changeContent(viewer, (tx) => changePreferences(tx, changes));
      return {};
    }),
    route(updateSubscription, async ({ viewer, params }) => {
      const { streamId: channelId, property, value } = params;
      await changeContent(viewer, (tx) => changePreferences(tx, [{ channelId, property, value }]));
      return {};
    }),
    route(getSubscriptionStatus, ({ state, viewer, params }) => {
      const target = state.get(users).findManaged(params.userId);
      if (!target) throw new ApiError(errors.noSuchUser);
      const channel = accessChannel(viewer, params.streamId);
      return { is_subscribed: state.get(subscribers).has(channel.id, target.id) };
    }),
    route(getChannelSubscribers, ({ state, viewer, params }) => {
      const { ids } = subscriberList(state, accessChannel(viewer, params.streamId).id);
      return { subscribers: [...ids] };
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
  ];
}
