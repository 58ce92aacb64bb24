import { createMemo, Show } from "solid-js";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../../api/limits.ts";
import { canAdministerChannel, canJoin, canSetTopicsPolicy, privacyOf } from "../../client/channel-access.ts";
import type { Channel } from "../../client/model/channels.ts";
import { isAdministrator, isOwner } from "../../client/permissions.ts";
import { language, t } from "../i18n/t.ts";
import { askToLeave, join } from "../shared/channels/channel-menu.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { live } from "../ui/live.ts";
import { RenderedContent } from "../ui/rendered-content.tsx";
import { SavedSelect, SavedText, SavedToggle } from "../ui/saved-fields.tsx";
import { Archive } from "./archive.tsx";
import { changeChannel, channelCopySignal, channelSignal } from "./change-channel.ts";
import { privacyTexts } from "./privacy-field.tsx";
import { Retention } from "./retention.tsx";

export const topicsPolicies = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
] as const;

export function General(props: { channelId: number }) {
  const id = props.channelId;
  const channel = channelCopySignal(id);
  const mayChange = channelSignal(id, (one) => canAdministerChannel(state.model, one), false);
  const owns = channelSignal(id, () => isOwner(state.model), false);
  return (
    <Show when={channel()}>
      {(one) => (
        <>
          <Membership channelId={id} />
          <Show when={mayChange()} fallback={<InWords channel={one()} />}>
            <SavedText
              label={t("channel.name")}
              value={one().name}
              maxLength={MAX_CHANNEL_NAME_LENGTH}
              save={(name) => changeChannel(id, { new_name: name })}
            />
            <SavedText
              label={t("channel.description")}
              hint={t("channel.descriptionHint")}
              value={one().description}
              rows={3}
              maxLength={MAX_CHANNEL_DESCRIPTION_LENGTH}
              save={(description) =>
                changeChannel(id, { description: description.replace(/\s*\n\s*/g, " ") })
              }
            />
            <Folder channel={one()} />
            <TopicsPolicy channel={one()} />
            <Default channel={one()} />
            <Retention channel={one()} mayChange={owns()} />
            <Archive channel={one()} />
          </Show>
          <p class="hint created">{createdText(one())}</p>
        </>
      )}
    </Show>
  );
}

/** What kind of channel it is, and the button that joins or leaves it. */
function Membership(props: { channelId: number }) {
  const id = props.channelId;
  const privacy = channelSignal(id, privacyOf, "public");
  const isSubscribed = channelSignal(id, () => state.model.subscriptions.isSubscribed(id), false);
  const mayJoin = channelSignal(id, (channel) => canJoin(state.model, channel), false);
  return (
    <div class="membership">
      <div>
        <p>{t(isSubscribed() ? "channel.isSubscribed" : "channel.isNotSubscribed")}</p>
        <p class="hint">{t(privacyTexts[privacy()].hint)}</p>
      </div>
      <Show when={isSubscribed() || mayJoin()}>
        <button
          type="button"
          class={isSubscribed() ? "button" : "button primary"}
          onClick={() => (isSubscribed() ? askToLeave(id) : join(id))}
        >
          {t(isSubscribed() ? "channel.unsubscribe" : "channel.subscribe")}
        </button>
      </Show>
    </div>
  );
}

function InWords(props: { channel: Channel }) {
  return (
    <div class="field">
      <p class="field-label">{t("channel.description")}</p>
      <div class="description-in-words">
        <Show
          when={props.channel.description !== ""}
          fallback={<p class="hint">{t("channel.noDescription")}</p>}
        >
          <RenderedContent html={props.channel.renderedDescription} />
        </Show>
      </div>
    </div>
  );
}

function Folder(props: { channel: Channel }) {
  const folders = live(["folders", "generation"], () =>
    [...state.model.folders.byId.values()].filter(({ isArchived }) => !isArchived),
  );
  const options = createMemo(() => [
    { value: "", label: t("channel.noFolder") },
    ...folders()
      .sort((a, b) => a.order - b.order)
      .map(({ id, name }) => ({ value: String(id), label: name })),
  ]);
  return (
    <Show when={folders().length > 0}>
      <SavedSelect
        label={t("channel.folder")}
        value={String(props.channel.folderId ?? "")}
        options={options()}
        save={(id) => changeChannel(props.channel.id, { folder_id: id === "" ? null : Number(id) })}
      />
    </Show>
  );
}

function TopicsPolicy(props: { channel: Channel }) {
  const mayChange = channelSignal(props.channel.id, () => canSetTopicsPolicy(state.model), false);
  return (
    <SavedSelect
      label={t("channel.topicsPolicy")}
      hint={mayChange() ? undefined : t("channel.topicsPolicyLocked")}
      disabled={!mayChange()}
      value={props.channel.topicsPolicy}
      options={topicsPolicies.map((value) => ({ value, label: t(`topicsPolicy.${value}`) }))}
      save={(value) => changeChannel(props.channel.id, { topics_policy: value })}
    />
  );
}

/** Only administrators choose what new people are subscribed to. */
function Default(props: { channel: Channel }) {
  const isDefault = live(["defaultChannels", "generation"], () =>
    state.model.defaultChannels.ids.has(props.channel.id),
  );
  const isShown = channelSignal(
    props.channel.id,
    ({ isPrivate, isArchived }) => !isPrivate && !isArchived && isAdministrator(state.model),
    false,
  );
  return (
    <Show when={isShown()}>
      <SavedToggle
        label={t("channel.default")}
        hint={t("channel.defaultHint")}
        value={isDefault()}
        save={(value) => changeChannel(props.channel.id, { is_default_stream: value })}
      />
    </Show>
  );
}

function createdText({ creatorId, createdAt }: Channel): string {
  const format = new Intl.DateTimeFormat(language(), { dateStyle: "long" });
  const date = format.format(createdAt * 1000);
  return creatorId === null
    ? t("channel.created", { date })
    : t("channel.createdBy", { date, name: nameOf(creatorId) });
}
