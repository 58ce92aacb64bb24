import { createSignal, Show } from "solid-js";
import { subscribe, unsubscribe } from "../../api/channels/subscriptions.ts";
import { CallError } from "../../client/call-error.ts";
import { canAddSubscribers, canRemoveSubscriber } from "../../client/channel-access.ts";
import { language, t } from "../i18n/t.ts";
import { askToLeave } from "../shared/channels/channel-menu.ts";
import { AddPeople } from "../shared/groups/add-people.tsx";
import { findPicked, type Picked } from "../shared/groups/picked.ts";
import { state } from "../shared/state/state.ts";
import { channelName, nameOf } from "../shared/text/names.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Toggle } from "../ui/fields.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { isSameList } from "../ui/same-list.ts";
import { channelSignal } from "./change-channel.ts";
import { peopleOf, sourcesOfPeople } from "./people-of.ts";
import { createSubscriberIds } from "./subscriber-ids.ts";

/** Who is subscribed to a channel. */
export function Subscribers(props: { channelId: number }) {
  const { ids, problem } = createSubscriberIds(props.channelId);
  const [failure, setFailure] = createSignal<string>();
  const mayAdd = channelSignal(props.channelId, (channel) => canAddSubscribers(state.model, channel), false);
  const sorted = live(
    ["users", "generation"],
    () => [...(ids() ?? [])].sort((a, b) => nameOf(a).localeCompare(nameOf(b), language())),
    isSameList,
  );
  async function remove(userId: number): Promise<void> {
    if (userId === state.model.viewer.id) return askToLeave(props.channelId);
    setFailure(undefined);
    const parameters = { subscriptions: [channelName(props.channelId)], principals: [userId] };
    try {
      await state.track(() => state.connection.call(unsubscribe, parameters));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(t("subscribers.notRemoved", { name: nameOf(userId), why: error.message }));
    }
  }
  return (
    <>
      <Show when={mayAdd()}>
        <AddSubscribers channelId={props.channelId} subscribed={ids() ?? []} />
      </Show>
      <Problem text={problem() ?? failure()} />
      <div class="subscriber-list" aria-busy={ids() === undefined && problem() === undefined}>
        <Show when={ids()}>
          <p class="hint">{t("channels.people", { count: sorted().length })}</p>
          <FilteredList
            label={t("channel.subscribers")}
            items={sorted()}
            textOf={nameOf}
            draw={(id) => (
              <SubscriberRow channelId={props.channelId} userId={id} onRemove={() => void remove(id)} />
            )}
            empty={t("subscribers.none")}
          />
        </Show>
      </div>
    </>
  );
}

function SubscriberRow(props: { channelId: number; userId: number; onRemove(): void }) {
  const sources = [`users:${props.userId}`, "generation"];
  const user = live(sources, () => state.model.users.get(props.userId));
  const name = live(sources, () => nameOf(props.userId));
  const mayRemove = channelSignal(
    props.channelId,
    (channel) => canRemoveSubscriber(state.model, channel, props.userId),
    false,
  );
  const isSelf = props.userId === state.model.viewer.id;
  return (
    <>
      <Avatar user={user()} />
      <span class="row-text">
        <bdi>{name()}</bdi>
      </span>
      <Show when={user()?.isBot}>
        <span class="tag">{t("feed.bot")}</span>
      </Show>
      <Show when={isSelf}>
        <span class="tag">{t("subscribers.you")}</span>
      </Show>
      <Show when={mayRemove()}>
        <button
          type="button"
          class="button"
          aria-label={isSelf ? t("channel.unsubscribe") : t("people.remove", { name: name() })}
          onClick={() => props.onRemove()}
        >
          {t(isSelf ? "channels.leaveShort" : "subscribers.remove")}
        </button>
      </Show>
    </>
  );
}

/** People, groups and the subscribers of other channels. */
function AddSubscribers(props: { channelId: number; subscribed: readonly number[] }) {
  const [sendsNotice, setSendsNotice] = createSignal(true);
  const find = (text: string) => {
    const known = new Set(props.subscribed);
    return findPicked(text, { people: (id) => !known.has(id), ...sourcesOfPeople(props.channelId) });
  };
  const add = (chosen: readonly Picked[]) =>
    state.track(async () => {
      const known = new Set(props.subscribed);
      const principals = (await peopleOf(chosen)).filter((id) => !known.has(id));
      // Without principals, the call would subscribe the viewer.
      if (principals.length === 0) return;
      const parameters = {
        subscriptions: [{ name: channelName(props.channelId) }],
        ...{ principals, send_new_subscription_messages: sendsNotice() },
      };
      await state.connection.call(subscribe, parameters);
    });
  return (
    <AddPeople label={t("subscribers.add")} hint={t("subscribers.addHint")} find={find} add={add}>
      <Toggle label={t("subscribers.notify")} checked={sendsNotice()} onChange={setSendsNotice} />
    </AddPeople>
  );
}
