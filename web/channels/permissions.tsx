import { For, Show } from "solid-js";
import {
  canAdministerChannel,
  canChangePermission,
  canChangePermissions,
  creatablePrivacies,
  type Privacy,
  privacyOf,
} from "../../client/channel-access.ts";
import type { Channel } from "../../client/model/channels.ts";
import { t } from "../i18n/t.ts";
import { GroupSetting } from "../shared/groups/group-setting.tsx";
import { state } from "../shared/state/state.ts";
import { createEdit, EditEnd } from "../ui/edit.tsx";
import { live } from "../ui/live.ts";
import { changeChannel, channelCopySignal, channelSignal } from "./change-channel.ts";
import { PrivacyField, writePrivacy } from "./privacy-field.tsx";

/** Names on the wire and in the model, in the order in which people look for them. */
const sections = [
  {
    heading: "permissions.people",
    permissions: [
      { name: "can_subscribe_group", key: "canSubscribeGroup", hint: "permissions.subscribeHint" },
      { name: "can_add_subscribers_group", key: "canAddSubscribersGroup", hint: "permissions.addHint" },
      { name: "can_remove_subscribers_group", key: "canRemoveSubscribersGroup", hint: undefined },
      {
        name: "can_administer_channel_group",
        key: "canAdministerChannelGroup",
        hint: "permissions.administerHint",
      },
    ],
  },
  {
    heading: "permissions.messages",
    permissions: [
      { name: "can_send_message_group", key: "canSendMessageGroup", hint: undefined },
      {
        name: "can_move_messages_within_channel_group",
        key: "canMoveMessagesWithinChannelGroup",
        hint: "permissions.additionHint",
      },
      {
        name: "can_move_messages_out_of_channel_group",
        key: "canMoveMessagesOutOfChannelGroup",
        hint: "permissions.additionHint",
      },
      { name: "can_resolve_topics_group", key: "canResolveTopicsGroup", hint: "permissions.additionHint" },
      {
        name: "can_delete_any_message_group",
        key: "canDeleteAnyMessageGroup",
        hint: "permissions.additionHint",
      },
      {
        name: "can_delete_own_message_group",
        key: "canDeleteOwnMessageGroup",
        hint: "permissions.additionHint",
      },
    ],
  },
] as const;

type Permission = (typeof sections)[number]["permissions"][number];

export function Permissions(props: { channelId: number }) {
  const id = props.channelId;
  const channel = channelCopySignal(id);
  const isBlind = channelSignal(
    id,
    (one) => canAdministerChannel(state.model, one) && !canChangePermissions(state.model, one),
    false,
  );
  return (
    <Show when={channel()}>
      {(one) => (
        <>
          <Show when={isBlind()}>
            <p class="hint">{t("permissions.joinFirst")}</p>
          </Show>
          <ChannelPrivacy channel={one()} />
          <For each={sections}>
            {({ heading, permissions }) => (
              <>
                <h3>{t(heading)}</h3>
                <For each={permissions}>
                  {(permission) => (
                    <Show when={permission.name !== "can_subscribe_group" || one().isPrivate}>
                      <OnePermission channel={one()} permission={permission} />
                    </Show>
                  )}
                </For>
              </>
            )}
          </For>
        </>
      )}
    </Show>
  );
}

function OnePermission(props: { channel: Channel; permission: Permission }) {
  const { name, key, hint } = props.permission;
  const mayChange = channelSignal(
    props.channel.id,
    (channel) => canChangePermission(state.model, channel, name),
    false,
  );
  return (
    <GroupSetting
      kind="stream"
      name={name}
      label={t(`channelPermission.${name}`)}
      hint={hint && t(hint)}
      value={props.channel[key]}
      disabled={!mayChange()}
      save={(change) => changeChannel(props.channel.id, { [name]: change })}
    />
  );
}

/** A change of it concerns many, so it is saved by a button. */
function ChannelPrivacy(props: { channel: Channel }) {
  const mayChange = channelSignal(
    props.channel.id,
    (channel) => canChangePermissions(state.model, channel),
    false,
  );
  const edit = createEdit<Privacy>({
    read: () => privacyOf(props.channel),
    save(privacy) {
      const { isPrivate, ...rest } = writePrivacy(privacy);
      return changeChannel(props.channel.id, { is_private: isPrivate, ...rest });
    },
  });
  const allowed = live(["organization", "groups", "users", "generation"], () =>
    creatablePrivacies(state.model),
  );
  const isPrivate = ({ isPrivate }: Channel) => isPrivate;
  // People who may create no channel of another kind can still choose how much of a private one's history is
  // shown.
  const choices = (): Privacy[] =>
    isPrivate(props.channel) ? [...allowed(), "private", "privateHidden"] : allowed();
  const warning = () => {
    const [from, to] = [privacyOf(props.channel), edit.value()];
    if (!edit.isChanged()) return undefined;
    if (to === "webPublic") return t("privacy.toWebPublic");
    if (props.channel.isPrivate && to === "public") return t("privacy.toPublic");
    if (from === "privateHidden" && to === "private") return t("privacy.toShared");
    return to === "private" || to === "privateHidden" ? t("privacy.toPrivate") : undefined;
  };
  return (
    <div class="saved-field">
      <PrivacyField
        value={edit.value()}
        allowed={choices()}
        disabled={!mayChange()}
        problem={edit.problem()}
        onChange={edit.change}
      />
      <p class="hint privacy-warning" role="status">
        {warning()}
      </p>
      <EditEnd edit={edit} label={t("privacy.label")} />
    </div>
  );
}
