import { Show } from "solid-js";
import type { SubscriptionProperty } from "../../api/channels/subscriptions.ts";
import { updateSubscription } from "../../api/channels/subscriptions.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { createEdit, EditEnd } from "../ui/edit.tsx";
import { live } from "../ui/live.ts";
import { SavedSelect, SavedToggle } from "../ui/saved-fields.tsx";

const notifications = [
  {
    property: "desktop_notifications",
    key: "desktopNotifications",
    usual: userSettings.enableStreamDesktopNotifications,
  },
  {
    property: "audible_notifications",
    key: "audibleNotifications",
    usual: userSettings.enableStreamAudibleNotifications,
  },
  {
    property: "push_notifications",
    key: "pushNotifications",
    usual: userSettings.enableStreamPushNotifications,
  },
  {
    property: "email_notifications",
    key: "emailNotifications",
    usual: userSettings.enableStreamEmailNotifications,
  },
  {
    property: "wildcard_mentions_notify",
    key: "wildcardMentionsNotify",
    usual: userSettings.wildcardMentionsNotify,
  },
] as const;

type Choice = "usual" | "on" | "off";

/** The viewer's own settings for a channel. */
export function Personal(props: { channelId: number }) {
  const id = props.channelId;
  // A copy with each change: Solid takes an object that changed in place for the same.
  const subscription = live(["subscriptions", "generation"], () => {
    const one = state.model.subscriptions.byChannel.get(id);
    return one && { ...one };
  });
  const change = (property: SubscriptionProperty, value: boolean | string | null) => {
    const parameters = { stream_id: id, property, value };
    return state.track(() => state.connection.call(updateSubscription, parameters));
  };
  return (
    <Show when={subscription()}>
      {(one) => (
        <>
          <SavedToggle
            label={t("personal.mute")}
            hint={t("personal.muteHint")}
            value={one().isMuted}
            save={(value) => change("is_muted", value)}
          />
          <SavedToggle
            label={t("personal.pin")}
            hint={t("personal.pinHint")}
            value={one().isPinned}
            save={(value) => change("pin_to_top", value)}
          />
          <Color value={one().color} save={(value) => change("color", value)} />
          <h3>{t("personal.notifications")}</h3>
          {notifications.map(({ property, key, usual }) => (
            <Notification
              property={property}
              value={one()[key]}
              usual={state.model.settings.get(usual)}
              save={(value) => change(property, value)}
            />
          ))}
        </>
      )}
    </Show>
  );
}

function Notification(props: {
  property: (typeof notifications)[number]["property"];
  value: boolean | null;
  usual: boolean;
  save(value: boolean | null): Promise<unknown>;
}) {
  const options = () => [
    { value: "usual" as const, label: t(props.usual ? "personal.usualOn" : "personal.usualOff") },
    { value: "on" as const, label: t("personal.on") },
    { value: "off" as const, label: t("personal.off") },
  ];
  const choice = (): Choice => (props.value === null ? "usual" : props.value ? "on" : "off");
  return (
    <SavedSelect<Choice>
      label={t(`personal.${props.property}`)}
      value={choice()}
      options={options()}
      save={(chosen) => props.save({ usual: null, on: true, off: false }[chosen])}
    />
  );
}

function Color(props: { value: string; save(color: string): Promise<unknown> }) {
  const edit = createEdit({ read: () => props.value, save: (color) => props.save(color) });
  return (
    <div class="saved-field">
      <div class="field">
        <label for="channel-color">{t("personal.color")}</label>
        <input
          id="channel-color"
          type="color"
          value={edit.value()}
          aria-describedby="channel-color-hint"
          onChange={(event) => void edit.saveNow(event.currentTarget.value)}
        />
        <p class="hint" id="channel-color-hint">
          {t("personal.colorHint")}
        </p>
        <Show when={edit.problem()}>
          <p class="problem" role="alert">
            {edit.problem()}
          </p>
        </Show>
      </div>
      <EditEnd edit={edit} label={t("personal.color")} />
    </div>
  );
}
