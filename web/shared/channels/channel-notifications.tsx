import { createSignal, For, Show } from "solid-js";
import { userSettings } from "../../../api/people/user-settings.ts";
import { CallError } from "../../../client/call-error.ts";
import type { Subscription } from "../../../client/model/subscriptions.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { channelName } from "../text/names.ts";
import { changeSubscription, type SubscriptionProperty } from "./change-subscription.ts";

interface Level {
  label: TextKey;
  property: SubscriptionProperty;
  field: keyof Subscription;
  /** Applies while the channel has no choice of its own. */
  usual: { name: string; default: boolean };
}

const levels: readonly Level[] = [
  {
    ...{ label: "channel.notify.desktop", property: "desktop_notifications", field: "desktopNotifications" },
    usual: userSettings.enableStreamDesktopNotifications,
  },
  {
    ...{ label: "channel.notify.audible", property: "audible_notifications", field: "audibleNotifications" },
    usual: userSettings.enableStreamAudibleNotifications,
  },
  {
    ...{ label: "channel.notify.push", property: "push_notifications", field: "pushNotifications" },
    usual: userSettings.enableStreamPushNotifications,
  },
  {
    ...{ label: "channel.notify.email", property: "email_notifications", field: "emailNotifications" },
    usual: userSettings.enableStreamEmailNotifications,
  },
  {
    ...{ label: "channel.notify.wildcard", property: "wildcard_mentions_notify" },
    ...{ field: "wildcardMentionsNotify", usual: userSettings.wildcardMentionsNotify },
  },
];

const values: Readonly<Record<string, boolean | null>> = { usual: null, on: true, off: false };

/** How the viewer learns of new messages in one channel. Each choice is saved at once. */
export function ChannelNotifications(props: { channelId: number; onClose(): void }) {
  const title = () => t("channel.notificationsTitle", { channel: channelName(props.channelId) });
  return (
    <Dialog label={title()} class="form-dialog" onClose={() => props.onClose()}>
      <h2>{title()}</h2>
      <form>
        <For each={levels}>{(level) => <LevelField channelId={props.channelId} level={level} />}</For>
      </form>
    </Dialog>
  );
}

function LevelField(props: { channelId: number; level: Level }) {
  const [problem, setProblem] = createSignal<string>();
  const chosen = live(["subscriptions", "generation"], () => {
    const value = state.model.subscriptions.byChannel.get(props.channelId)?.[props.level.field];
    return value === true ? "on" : value === false ? "off" : "usual";
  });
  const usual = () =>
    t(state.model.settings.get(props.level.usual) ? "channel.notify.on" : "channel.notify.off");
  const change = async (value: string) => {
    setProblem(undefined);
    try {
      await changeSubscription(props.channelId, props.level.property, values[value] ?? null);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <label>
      {t(props.level.label)}
      <select onChange={(event) => void change(event.currentTarget.value)}>
        <option value="usual" selected={chosen() === "usual"}>
          {t("channel.notify.usual", { value: usual() })}
        </option>
        <option value="on" selected={chosen() === "on"}>
          {t("channel.notify.on")}
        </option>
        <option value="off" selected={chosen() === "off"}>
          {t("channel.notify.off")}
        </option>
      </select>
      <Show when={problem()}>
        {(words) => (
          <span class="problem" role="alert">
            {words()}
          </span>
        )}
      </Show>
    </label>
  );
}
