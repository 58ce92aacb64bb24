import {
  changeSubscriptions,
  getChannelSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscription,
  updateSubscriptionProperties,
} from "../../../api/channels/subscriptions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { accessManagedUser } from "../../people/access/access.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import type { User } from "../../people/user.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { readContent } from "../../people/viewer/read.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { accessChannel } from "../access.ts";
import { newChannelSettings } from "../create/settings.ts";
import { analyzeIfMany } from "./bulk.ts";
import { changeOwnInGroup } from "./own-subscriptions.ts";
import { changePreferences } from "./preferences.ts";
import { presentSubscribed, presentUnsubscribed } from "./present-outcomes.ts";
import { accessPrincipals } from "./principals.ts";
import { readChannelRecords } from "./records.ts";
import type { Outcome } from "./subscribe.ts";
import { subscribeByName } from "./subscribe-by-name.ts";
import { subscriberList } from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";
import { unsubscribeByName } from "./unsubscribe-by-name.ts";

export function subscriptionRoutes(services: Pick<Services, "config" | "database">): Route[] {
  const { config } = services;
  const quotas = new Quotas(config);
  return [
    route(subscribe, async ({ viewer, params }) => {
      const isFatal = params.authorizationErrorsFatal ?? true;
      const own = namesOthers(viewer, params.principals)
        ? undefined
        : await changeOwnInGroup({ viewer, join: params.subscriptions, leave: [], isFatal });
      if (own) return presentAdded(own.joined, own.unauthorized, true, params);
      const { outcomes, unauthorized, areTold } = await changeState(viewer, (tx) =>
        subscribeByName(tx, {
          channels: params.subscriptions,
          targets: targetsOf(tx.viewer, params.principals),
          isFatal,
          settings: newChannelSettings(params, config.webPublicStreams),
          quotas,
          isAnnounced: params.announce ?? false,
          isTold: params.sendNewSubscriptionMessages ?? true,
        }),
      );
      const count = outcomes.reduce((sum, { changed }) => sum + changed.length, 0);
      await analyzeIfMany(services.database, count);
      return presentAdded(outcomes, unauthorized, areTold, params);
    }),
    route(unsubscribe, async ({ viewer, params }) => {
      const own = namesOthers(viewer, params.principals)
        ? undefined
        : await changeOwnInGroup({ viewer, join: [], leave: params.subscriptions, isFatal: true });
      if (own) return presentUnsubscribed(own.left);
      const outcomes = await changeState(viewer, (tx) => {
        const targets = targetsOf(tx.viewer, params.principals);
        return unsubscribeByName(tx, { names: params.subscriptions, targets });
      });
      return presentUnsubscribed(outcomes);
    }),
    route(getSubscriptions, async ({ state, viewer, params }) => {
      const records = await readContent(state, viewer, (tx, { user }) =>
        readChannelRecords(state, tx, user, {
          subscribers:
            params.includeSubscribers === "partial" ? "partial" : `${params.includeSubscribers ?? false}`,
          hasArchived: false,
          canInherit: true,
        }),
      );
      return { subscriptions: records.subscribed() };
    }),
    route(changeSubscriptions, async ({ viewer, params }) => {
      const { add = [], delete: remove = [] } = params;
      if (add.length === 0 && remove.length === 0) throw new ApiError(errors.nothingToChange);
      const own = await changeOwnInGroup({ viewer, join: add, leave: remove, isFatal: true });
      if (own) return { ...presentSubscribed(own.joined), ...presentUnsubscribed(own.left) };
      return changeState(viewer, async (tx) => {
        const targets = [tx.viewer.user];
        const { outcomes } = await subscribeByName(tx, {
          channels: add,
          targets,
          isFatal: true,
          settings: newChannelSettings({}, config.webPublicStreams),
          quotas,
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
      const target = accessManagedUser(viewer, params.userId);
      const channel = accessChannel(viewer, params.streamId);
      return { is_subscribed: state.get(subscribers).has(channel.id, target.id) };
    }),
    route(getChannelSubscribers, ({ state, viewer, params }) => {
      const { ids } = subscriberList(state, accessChannel(viewer, params.streamId).id);
      return { subscribers: [...ids] };
    }),
  ];
}

/** What a call that subscribes answers: for clients that asked for it, also what did not happen. */
function presentAdded(
  outcomes: readonly Outcome[],
  unauthorized: readonly string[],
  areTold: boolean,
  params: {
    authorizationErrorsFatal?: boolean | undefined;
    sendNewSubscriptionMessages?: boolean | undefined;
  },
) {
  return {
    ...presentSubscribed(outcomes),
    ...(params.authorizationErrorsFatal === false && { unauthorized: [...unauthorized] }),
    ...(params.sendNewSubscriptionMessages !== false && { new_subscription_messages_sent: areTold }),
  };
}

function namesOthers({ user }: Viewer, principals: readonly (number | string)[] = []): boolean {
  return principals.some((principal) => principal !== user.id);
}

/** COMPAT: some clients always send the list, empty where they mean the caller. */
function targetsOf(viewer: Viewer, principals: readonly (number | string)[] = []): User[] {
  return principals.length === 0 ? [viewer.user] : accessPrincipals(viewer, principals);
}
