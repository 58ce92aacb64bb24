import { createSignal, Show } from "solid-js";
import { canJoin } from "../../client/channel-access.ts";
import type { Channel } from "../../client/model/channels.ts";
import { language, t } from "../i18n/t.ts";
import { askToLeave, join } from "../shared/channels/channel-menu.ts";
import { ChannelSign } from "../shared/channels/channel-sign.tsx";
import { channelSettingsLink } from "../shared/channels/settings-link.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { Select } from "../ui/fields.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import { live } from "../ui/live.ts";
import { isSameList } from "../ui/same-list.ts";

export type Which = "subscribed" | "available" | "all" | "archived";
type Order = "name" | "subscribers" | "traffic";

const filters: Readonly<Record<Which, (channel: Channel) => boolean>> = {
  subscribed: ({ id, isArchived }) => !isArchived && state.model.subscriptions.isSubscribed(id),
  available: (channel) =>
    !channel.isArchived &&
    !state.model.subscriptions.isSubscribed(channel.id) &&
    canJoin(state.model, channel),
  all: ({ isArchived }) => !isArchived,
  archived: ({ isArchived }) => isArchived,
};

const empty = {
  subscribed: "channels.noneSubscribed",
  available: "channels.noneAvailable",
  all: "channels.noneAtAll",
  archived: "channels.noneArchived",
} as const;

/** Channels to look at, to join or to leave. */
export function ChannelList(props: { which: Which }) {
  const [order, setOrder] = createSignal<Order>("name");
  // Every message changes the channels; the list changes seldom.
  const ids = live(
    ["channels", "subscriptions", "groups", "generation"],
    () => idsOf(props.which, order()),
    isSameList,
  );
  const orders = () => [
    { value: "name" as const, label: t("channels.byName") },
    { value: "subscribers" as const, label: t("channels.bySubscribers") },
    { value: "traffic" as const, label: t("channels.byTraffic") },
  ];
  return (
    <div class="listing">
      <div class="listing-head">
        <p class="hint">{t("channels.count", { count: ids().length })}</p>
        <Select label={t("channels.order")} value={order()} options={orders()} onChange={setOrder} />
      </div>
      <FilteredList
        label={t("channels.title")}
        items={ids()}
        textOf={(id) => `${channelName(id)} ${state.model.channels.get(id)?.description ?? ""}`}
        draw={(id) => <ChannelRow channelId={id} />}
        height={Math.max(300, innerHeight - 270)}
        empty={t(empty[props.which])}
      />
    </div>
  );
}

function idsOf(which: Which, order: Order): number[] {
  const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name, language());
  const orders: Readonly<Record<Order, (a: Channel, b: Channel) => number>> = {
    name: byName,
    subscribers: (a, b) => b.subscriberCount - a.subscriberCount || byName(a, b),
    traffic: (a, b) => (b.weeklyTraffic ?? 0) - (a.weeklyTraffic ?? 0) || byName(a, b),
  };
  return [...state.model.channels.byId.values()]
    .filter(filters[which])
    .sort(orders[order])
    .map(({ id }) => id);
}

function ChannelRow(props: { channelId: number }) {
  const id = props.channelId;
  const channel = live(["channels", "generation"], () => state.model.channels.get(id));
  const isSubscribed = live(["subscriptions", "generation"], () =>
    state.model.subscriptions.isSubscribed(id),
  );
  const mayJoin = live(["channels", "subscriptions", "groups", "generation"], () => {
    const one = state.model.channels.get(id);
    return one !== undefined && canJoin(state.model, one);
  });
  const name = () => channel()?.name ?? "";
  return (
    <>
      <ChannelSign channelId={props.channelId} />
      <a class="row-text" href={channelSettingsLink(id)}>
        <bdi>{name()}</bdi>
        <bdi class="row-about">{channel()?.description}</bdi>
      </a>
      <span class="row-count">{t("channels.people", { count: channel()?.subscriberCount ?? 0 })}</span>
      <Show when={isSubscribed() || mayJoin()}>
        <button
          type="button"
          class="button"
          aria-label={t(isSubscribed() ? "channels.leave" : "channels.join", { channel: name() })}
          onClick={() => (isSubscribed() ? askToLeave(id) : join(id))}
        >
          {t(isSubscribed() ? "channels.leaveShort" : "channels.joinShort")}
        </button>
      </Show>
    </>
  );
}
