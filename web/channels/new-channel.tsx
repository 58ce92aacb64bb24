import { Show } from "solid-js";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../../api/limits.ts";
import { isAdministrator } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { GroupValue } from "../shared/groups/group-setting.tsx";
import { PickField } from "../shared/groups/pick-field.tsx";
import { findPicked } from "../shared/groups/picked.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { Select, TextArea, TextField, Toggle } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { SavingNote } from "../ui/saving.tsx";
import { NewChannelDetails } from "./new-channel-details.tsx";
import { announcedIn, createNewChannel } from "./new-channel-form.ts";
import { sourcesOfPeople } from "./people-of.ts";
import { PrivacyField, writePrivacy } from "./privacy-field.tsx";
import { isInvalid } from "./retention.tsx";

/** Creates a channel, and goes there. */
export function NewChannel() {
  const { form, change, allowed, saving, create } = createNewChannel();
  const isPrivate = () => writePrivacy(form().privacy).isPrivate;
  const isAdmin = live(["users", "generation"], () => isAdministrator(state.model));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={t("channel.name")}
        required
        value={form().name}
        maxLength={MAX_CHANNEL_NAME_LENGTH}
        onInput={(name) => change({ name })}
      />
      <TextArea
        label={t("channel.description")}
        hint={t("channel.descriptionHint")}
        rows={2}
        value={form().description}
        maxLength={MAX_CHANNEL_DESCRIPTION_LENGTH}
        onInput={(description) => change({ description })}
      />
      <PrivacyField value={form().privacy} allowed={allowed()} onChange={(privacy) => change({ privacy })} />
      <PickField
        label={t("channel.subscribers")}
        hint={t("subscribers.addHint")}
        chosen={form().chosen}
        find={(text) => findPicked(text, sourcesOfPeople())}
        onChange={(chosen) => change({ chosen })}
      />
      <Folder value={form().folderId} onChange={(folderId) => change({ folderId })} />
      <Show when={!isPrivate() && announcedIn()}>
        {(channelId) => (
          <Toggle
            label={t("newChannel.announce", { channel: channelName(channelId()) })}
            checked={form().isAnnounced}
            onChange={(isAnnounced) => change({ isAnnounced })}
          />
        )}
      </Show>
      <Show when={!isPrivate() && isAdmin()}>
        <Toggle
          label={t("channel.default")}
          hint={t("channel.defaultHint")}
          checked={form().isDefault}
          onChange={(isDefault) => change({ isDefault })}
        />
      </Show>
      <details class="more-settings">
        <summary>{t("newChannel.more")}</summary>
        <GroupValue
          kind="stream"
          name="can_send_message_group"
          label={t("channelPermission.can_send_message_group")}
          value={form().posters}
          onChange={(posters) => change({ posters })}
        />
        <GroupValue
          kind="stream"
          name="can_administer_channel_group"
          label={t("channelPermission.can_administer_channel_group")}
          hint={t("permissions.administerHint")}
          value={form().administrators}
          onChange={(administrators) => change({ administrators })}
        />
        <NewChannelDetails form={form()} onChange={change} />
      </details>
      <div class="form-end">
        <button
          type="submit"
          class="button primary"
          disabled={form().name.trim() === "" || isInvalid(form().retentionDays)}
        >
          {t("newChannel.create")}
        </button>
        <SavingNote saving={saving} />
      </div>
    </form>
  );
}

function Folder(props: { value: string; onChange(id: string): void }) {
  const folders = live(["folders", "generation"], () =>
    [...state.model.folders.byId.values()]
      .filter(({ isArchived }) => !isArchived)
      .sort((a, b) => a.order - b.order),
  );
  return (
    <Show when={folders().length > 0}>
      <Select
        label={t("channel.folder")}
        value={props.value}
        options={[
          { value: "", label: t("channel.noFolder") },
          ...folders().map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={props.onChange}
      />
    </Show>
  );
}
