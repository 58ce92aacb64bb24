import { createEffect, createSignal, For, on, Show } from "solid-js";
import { getSubscriptions } from "../../api/channels/subscriptions.ts";
import { CallError } from "../../client/call-error.ts";
import { language, t } from "../i18n/t.ts";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import { channelLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { channelName } from "../shared/text/names.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

/** Known only to the server, since the client does not follow who is in which channel. */
export function SharedChannels(props: { userId: number }) {
  const [ids, setIds] = createSignal<readonly number[]>();
  const [problem, setProblem] = createSignal<string>();
  const changed = live(["subscriptions", "subscribers", "generation"], () => ({}));
  const [attempts, setAttempts] = createSignal(0);
  whenBack(() => problem() !== undefined && setAttempts(attempts() + 1));
  createEffect(
    on([changed, () => props.userId, attempts], async ([, userId]) => {
      setProblem(undefined);
      try {
        const found = await fetchShared(userId);
        if (userId === props.userId) setIds(found);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setProblem(t("user.channelsFailed", { problem: error.message }));
      }
    }),
  );
  return (
    <section>
      <h2>{t("user.channels")}</h2>
      <Show when={problem()}>{(words) => <p class="problem">{words()}</p>}</Show>
      <Show when={ids()}>
        {(found) => (
          <Show when={found().length > 0} fallback={<p>{t("user.noChannels")}</p>}>
            <ul class="profile-places">
              <For each={found()}>
                {(id) => (
                  <li>
                    <a href={channelLink(id)}>
                      <span class="channel-sign" style={{ "--h": hueOfChannel(id) }}>
                        <Icon name={channelIcon(state.model.channels.get(id))} />
                      </span>
                      <bdi>{channelName(id)}</bdi>
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )}
      </Show>
    </section>
  );
}

const hueOfChannel = (id: number) => channelHue(state.model.subscriptions.byChannel.get(id)?.color);

async function fetchShared(userId: number): Promise<number[]> {
  const parameters = { include_subscribers: true };
  const { subscriptions } = await state.track(() => state.connection.call(getSubscriptions, parameters));
  const all = subscriptions as readonly { stream_id: number; subscribers?: readonly number[] }[];
  return all
    .filter(({ subscribers }) => subscribers?.includes(userId))
    .map(({ stream_id }) => stream_id)
    .sort((a, b) => channelName(a).localeCompare(channelName(b), language()));
}
