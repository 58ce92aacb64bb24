import { createSignal, onCleanup, Show } from "solid-js";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { TopicsPolicy } from "../../api/channels/channel-fields.ts";
import { createChannel } from "../../api/channels/new-channel.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../../api/limits.ts";
import { creatablePrivacies, type Privacy } from "../../client/channel-access.ts";
import { nobodyOf, writeValue } from "../../client/group-values.ts";
import type { GroupSetting } from "../../client/model/wire.ts";
import { channelNarrow } from "../../client/narrow.ts";
import { isAdministrator } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { GroupValue } from "../shared/groups/group-setting.tsx";
import { PickField } from "../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../shared/groups/picked.ts";
import { linkTo } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { watchUnsaved } from "../shared/routing/unsaved.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { Select, TextArea, TextField, Toggle } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { NewChannelDetails } from "./new-channel-details.tsx";
import { peopleOf, sourcesOfPeople } from "./people-of.ts";
import { PrivacyField, writePrivacy } from "./privacy-field.tsx";
import { isInvalid, writeDays } from "./retention.tsx";

/** What the form holds. `posters` and `administrators` are permissions. */
export interface NewChannelForm {
  name: string;
  description: string;
  privacy: Privacy;
  folderId: string;
  chosen: readonly Picked[];
  isAnnounced: boolean;
  isDefault: boolean;
  posters: GroupSetting;
  administrators: GroupSetting;
  retentionDays: number | null;
  topicsPolicy: TopicsPolicy;
}

/** Creates a channel, and goes there. */
export function NewChannel() {
  const saving = createSaving();
  const allowed = live(["organization", "groups", "users", "generation"], () =>
    creatablePrivacies(state.model),
  );
  const [form, setForm] = createSignal(emptyForm(allowed()));
  const change = (fields: Partial<NewChannelForm>) => setForm({ ...form(), ...fields });
  const isPrivate = () => writePrivacy(form().privacy).isPrivate;
  const isAdmin = live(["users", "generation"], () => isAdministrator(state.model));
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  watchUnsaved(() => saving.state() === "idle" && (form().name + form().description).trim() !== "");
  async function create(): Promise<void> {
    if (saving.state() === "saving") return;
    let channelId = 0;
    const isCreated = await saving.run(() =>
      state.track(async () => {
        const subscribers = await peopleOf(form().chosen);
        const parameters = { ...writeForm(form()), subscribers };
        const answer = await state.connection.call(createChannel, parameters);
        channelId = (answer as { id: number }).id;
      }),
    );
    // Who has gone elsewhere meanwhile stays there.
    if (isCreated && !isGone) go(linkTo(channelNarrow(channelId)));
  }
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

function emptyForm(allowed: readonly Privacy[]): NewChannelForm {
  const { groups, viewer } = state.model;
  const everyone = [...groups.byId.values()].find(({ name }) => name === "role:everyone");
  return {
    ...{ name: "", description: "", folderId: "", isAnnounced: true, isDefault: false },
    ...{ retentionDays: null, topicsPolicy: "inherit" },
    privacy: allowed.includes("public") ? "public" : (allowed.at(-1) ?? "public"),
    chosen: [{ kind: "person", id: viewer.id }],
    posters: everyone?.id ?? nobodyOf(state.model),
    administrators: { directMembers: [viewer.id], directSubgroups: [] },
  };
}

/** What is as usual is left out: some of it only few may choose. */
function writeForm(form: NewChannelForm) {
  const { isPrivate, ...privacy } = writePrivacy(form.privacy);
  const { retentionDays: days } = form;
  return {
    name: form.name.trim(),
    description: form.description.replace(/\s*\n\s*/g, " ").trim(),
    ...{ invite_only: isPrivate, ...privacy },
    announce: !isPrivate && form.isAnnounced && announcedIn() !== undefined,
    ...(form.isDefault && !isPrivate && { is_default_stream: true }),
    ...(form.folderId !== "" && { folder_id: Number(form.folderId) }),
    can_send_message_group: writeValue(form.posters),
    can_administer_channel_group: writeValue(form.administrators),
    ...(days !== null && { message_retention_days: writeDays(days) }),
    ...(form.topicsPolicy !== "inherit" && { topics_policy: form.topicsPolicy }),
  };
}

/** The channel in which new channels are announced. */
function announcedIn(): number | undefined {
  const id = Number(state.model.organization.get(organizationSettings.newStreamAnnouncementsStreamId));
  return id > 0 && state.model.channels.get(id) ? id : undefined;
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
