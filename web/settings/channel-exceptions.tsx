import { createSignal, For } from "solid-js";
import { updateSubscriptionProperties } from "../../api/channels/subscriptions.ts";
import type { Subscription } from "../../client/model/subscriptions.ts";
import { language, t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { createSaving } from "../ui/saving.tsx";
import { createWanted } from "../ui/wanted.ts";

/** What a channel can have set for itself, by its name in the API. */
const kinds = [
  { id: "desktop", field: "desktopNotifications", property: "desktop_notifications" },
  { id: "sound", field: "audibleNotifications", property: "audible_notifications" },
  { id: "mail", field: "emailNotifications", property: "email_notifications" },
  { id: "everyone", field: "wildcardMentionsNotify", property: "wildcard_mentions_notify" },
] as const;

type Property = (typeof kinds)[number]["property"] | "push_notifications";
type Value = boolean | null;

const texts = { usual: null, on: true, off: false } as const;

const isException = (subscription: Subscription | undefined) =>
  subscription !== undefined &&
  (kinds.some(({ field }) => subscription[field] !== null) || subscription.pushNotifications !== null);

/** Channels that notify differently from the others. */
export function ChannelExceptions() {
  const saving = createSaving();
  /** Chosen here, and without a difference yet. */
  const [added, setAdded] = createSignal<readonly number[]>([]);
  const ids = live(["subscriptions", "channels", "generation"], () =>
    [...state.model.subscriptions.byChannel.values()]
      .filter((one) => one.isSubscribed && state.model.channels.get(one.channelId)?.isArchived === false)
      .map(({ channelId }) => channelId)
      .sort((a, b) => channelName(a).localeCompare(channelName(b), language())),
  );
  const subscription = (id: number) => state.model.subscriptions.byChannel.get(id);
  const isShown = (id: number) => added().includes(id) || isException(subscription(id));
  const save = (stream_id: number, changes: readonly [Property, Value][]) =>
    saving.run(() => {
      const data = changes.map(([property, value]) => ({ stream_id, property, value }));
      return state.track(() =>
        state.connection.call(updateSubscriptionProperties, { subscription_data: data }),
      );
    });
  const reset = (channelId: number) => {
    setAdded(added().filter((id) => id !== channelId));
    const all: Property[] = [...kinds.map(({ property }) => property), "push_notifications"];
    void save(
      channelId,
      all.map((property) => [property, null]),
    );
  };
  return (
    <>
      <p class="hint">{t("own.exceptions.hint")}</p>
      <Problem text={saving.problem()} />
      <ul class="exceptions" aria-label={t("own.notify.exceptions")}>
        <For each={ids().filter(isShown)}>
          {(id) => (
            <Exception channelId={id} onChange={(changes) => save(id, changes)} onReset={() => reset(id)} />
          )}
        </For>
      </ul>
      <select
        class="small-select add-exception"
        aria-label={t("own.exceptions.add")}
        onChange={(event) => {
          const id = Number(event.currentTarget.value);
          event.currentTarget.value = "";
          if (id) setAdded([...added(), id]);
        }}
      >
        <option value="">{t("own.exceptions.add")}</option>
        <For each={ids().filter((id) => !isShown(id))}>
          {(id) => <option value={id}>#{channelName(id)}</option>}
        </For>
      </select>
    </>
  );
}

interface ExceptionProps {
  channelId: number;
  /** Gives whether it succeeded. */
  onChange(changes: readonly [Property, Value][]): Promise<boolean>;
  onReset(): void;
}

function Exception(props: ExceptionProps) {
  const id = props.channelId;
  const name = live(["channels", "generation"], () => channelName(id));
  return (
    <li>
      <p class="exception-name">
        <bdi>#{name()}</bdi>
        <button
          type="button"
          class="square"
          aria-label={t("own.exceptions.reset", { channel: name() })}
          title={t("own.exceptions.reset", { channel: name() })}
          onClick={() => props.onReset()}
        >
          <Icon name="close" />
        </button>
      </p>
      <div class="exception-fields">
        <For each={kinds}>
          {(kind) => {
            const value = createWanted<Value>(
              live(
                ["subscriptions", "generation"],
                () => state.model.subscriptions.byChannel.get(id)?.[kind.field] ?? null,
              ),
            );
            const choose = (one: Value) => value.change(one, () => props.onChange([[kind.property, one]]));
            return (
              <label>
                <span>{t(`own.notify.${kind.id}Column`)}</span>
                <select
                  class="small-select"
                  aria-label={`#${name()}: ${t(`own.notify.${kind.id}Column`)}`}
                  onChange={(event) => void choose(texts[event.currentTarget.value as keyof typeof texts])}
                >
                  <For each={Object.entries(texts)}>
                    {([text, of]) => (
                      <option value={text} selected={of === value.value()}>
                        {t(`own.exceptions.${text as keyof typeof texts}`)}
                      </option>
                    )}
                  </For>
                </select>
              </label>
            );
          }}
        </For>
      </div>
    </li>
  );
}
