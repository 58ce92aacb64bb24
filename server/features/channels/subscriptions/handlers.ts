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
import { runContentChange, runStateChange } from "../../../platform/log/change.ts";
import type { Services } from "../../../services.ts";
import { currentViewer } from "../../users/current-viewer.ts";
import { accessPrincipals } from "../../users/principals.ts";
import { route } from "../../users/route.ts";
import { users } from "../../users/user.ts";
import { accessChannel, accessChannelByName } from "../access.ts";
import { createWithSubscribers } from "../create/create-with-subscribers.ts";
import { newChannelSettings } from "../create/settings.ts";
import { accessMailSender } from "../mail-sender.ts";
import type { ChannelNotices } from "../notices.ts";
import { changePreferences } from "./preferences.ts";
import { presentSubscribed, presentUnsubscribed } from "./present-outcomes.ts";
import { subscribeByName } from "./subscribe-by-name.ts";
import { subscriberList } from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";
import { unsubscribeByName } from "./unsubscribe-by-name.ts";

export function subscriptionRoutes({ config }: Services, notices: ChannelNotices): Route[] {
  return [
    route(createChannel, async ({ state, viewer, params }) => {
      const channel = await runStateChange(state, async (tx) => {
        const current = currentViewer(viewer);
        return createWithSubscribers(tx, current, notices, {
          name: params.name,
          description: params.description,
          targets: accessPrincipals(current, params.subscribers),
          settings: newChannelSettings(params, config.webPublicStreams),
          isAnnounced: params.announce ?? false,
        });
      });
      return { id: channel.id };
    }),
    route(changeSubscriptions, async ({ state, viewer, params }) => {
      const { add = [], delete: remove = [] } = params;
      if (add.length === 0 && remove.length === 0) throw new ApiError(errors.nothingToChange);
      return runStateChange(state, async (tx) => {
        const current = currentViewer(viewer);
        const { outcomes } = await subscribeByName(tx, current, notices, {
          channels: add,
          targets: [current.user],
          isFatal: true,
          settings: newChannelSettings({}, config.webPublicStreams),
          isAnnounced: false,
          isTold: false,
        });
        const left = await unsubscribeByName(tx, current, { names: remove, targets: [current.user] });
        return { ...presentSubscribed(outcomes), ...presentUnsubscribed(left) };
      });
    }),
    route(updateSubscriptionProperties, async ({ state, viewer, params }) => {
      const changes = params.subscriptionData.map(({ stream_id, ...change }) => ({
        channelId: stream_id,
        ...change,
      }));
      await runContentChange(state, (tx) => changePreferences(tx, currentViewer(viewer), changes));
      return {};
    }),
    route(updateSubscription, async ({ state, viewer, params }) => {
      const { streamId: channelId, property, value } = params;
      await runContentChange(state, (tx) =>
        changePreferences(tx, currentViewer(viewer), [{ channelId, property, value }]),
      );
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
