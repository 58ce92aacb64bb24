import { createSignal, For, Show } from "solid-js";
import { createInvitationLink, sendInvitations } from "../../../api/accounts/invitations.ts";
import { MAX_WELCOME_TEXT_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import type { DefaultChannelGroup } from "../../../client/model/default-channels.ts";
import { t } from "../../i18n/t.ts";
import { PickField } from "../../shared/groups/pick-field.tsx";
import { findPicked, isSamePicked, type Picked } from "../../shared/groups/picked.ts";
import { state } from "../../shared/state/state.ts";
import { Select, TextArea, Toggle } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { call } from "../calls.ts";
import { durationName } from "../controls/durations.ts";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { NewLink } from "./new-link.tsx";
import { roleOf, roleOptions } from "./role-name.ts";

const DAY_MINUTES = 1440;
const NEVER = "never";
const expiries = [1, 3, 10, 30, 90];

/** Invites addresses, or makes a link for many people and shows it. */
export function Invite(props: { kind: "mail" | "link"; onClose(): void }) {
  const isMail = props.kind === "mail";
  const viewerRole = state.model.viewer.user?.role ?? roles.guest;
  const isAdmin = viewerRole <= roles.administrator;
  const least = isAdmin ? viewerRole : roles.member;
  const [addresses, setAddresses] = createSignal("");
  const [role, setRole] = createSignal(String(roles.member));
  const [expiry, setExpiry] = createSignal("10");
  const [hasDefaults, setDefaults] = createSignal(true);
  const [isNotified, setNotified] = createSignal(true);
  const [welcome, setWelcome] = createSignal("");
  const [places, setPlaces] = createSignal<readonly Picked[]>([]);
  const [link, setLink] = createSignal<string>();
  const ids = (kind: Picked["kind"]) => places().flatMap((one) => (one.kind === kind ? [one.id] : []));
  const common = () => ({
    invite_as: roleOf(role()),
    invite_expires_in_minutes: expiry() === NEVER ? null : Number(expiry()) * DAY_MINUTES,
    include_realm_default_subscriptions: hasDefaults(),
    stream_ids: ids("channel"),
    group_ids: ids("group"),
    ...(welcome().trim() !== "" && { welcome_message_custom_text: welcome() }),
  });
  const save = async () => {
    if (isMail) {
      const parameters = { invitee_emails: addresses(), notify_referrer_on_join: isNotified() };
      await call(sendInvitations, { ...parameters, ...common() });
    } else setLink((await call(createInvitationLink, common())).invite_link);
  };
  return (
    <Show when={link() === undefined} fallback={<NewLink url={link() ?? ""} onClose={props.onClose} />}>
      <SettingsDialog
        title={t(isMail ? "invitations.byMail" : "invitations.byLink")}
        action={t(isMail ? "invitations.send" : "invitations.makeLink")}
        save={save}
        onClose={() => link() === undefined && props.onClose()}
      >
        <Show when={isMail}>
          <TextArea
            label={t("invitations.addresses")}
            hint={t("invitations.addressesHint")}
            value={addresses()}
            required
            onInput={setAddresses}
          />
        </Show>
        <Select label={t("users.role")} value={role()} options={roleOptions(least)} onChange={setRole} />
        <Select
          label={t("invitations.expiry")}
          value={expiry()}
          options={expiryOptions()}
          onChange={setExpiry}
        />
        <Toggle label={t("invitations.defaults")} checked={hasDefaults()} onChange={setDefaults} />
        <PickField
          label={t("invitations.places")}
          placeholder={t("invitations.placesPlaceholder")}
          chosen={places()}
          find={findPlaces}
          onChange={setPlaces}
        />
        <ChannelGroups places={places()} onChange={setPlaces} />
        <Show when={isMail}>
          <Toggle label={t("invitations.notify")} checked={isNotified()} onChange={setNotified} />
        </Show>
        <Show when={isAdmin}>
          <TextArea
            label={t("invitations.welcome")}
            hint={t("invitations.welcomeHint")}
            value={welcome()}
            maxLength={MAX_WELCOME_TEXT_LENGTH}
            rows={2}
            onInput={setWelcome}
          />
        </Show>
      </SettingsDialog>
    </Show>
  );
}

/** A button for each group of default channels. */
function ChannelGroups(props: { places: readonly Picked[]; onChange(places: readonly Picked[]): void }) {
  const groups = live(["defaultChannels", "generation"], () =>
    [...state.model.defaultChannels.groups.values()].filter(({ channelIds }) => channelIds.size > 0),
  );
  const missing = ({ channelIds }: DefaultChannelGroup): Picked[] =>
    [...channelIds]
      .map((id) => ({ kind: "channel", id }) as const)
      .filter((one) => !props.places.some((place) => isSamePicked(place, one)));
  return (
    <Show when={groups().length > 0}>
      <p class="section-actions">
        <For each={groups()}>
          {(group) => (
            <button
              type="button"
              class="button"
              onClick={() => props.onChange([...props.places, ...missing(group)])}
            >
              {t("invitations.addGroup", { name: group.name })}
            </button>
          )}
        </For>
      </p>
    </Show>
  );
}

function expiryOptions() {
  const days = expiries.map((count) => ({
    value: String(count),
    label: durationName(count * DAY_MINUTES * 60),
  }));
  return [...days, { value: NEVER, label: t("invitations.never") }];
}

/** Channels and the organization's own groups. */
function findPlaces(text: string): Picked[] {
  const { channels, groups } = state.model;
  const channelIds = [...channels.byId.values()].filter((channel) => !channel.isArchived).map(({ id }) => id);
  const groupIds = [...groups.byId.values()]
    .filter(({ isSystem, isDeactivated }) => !isSystem && !isDeactivated)
    .map(({ id }) => id);
  return findPicked(text, { people: () => false, channelIds, groupIds });
}
