import { createSignal } from "solid-js";
import {
  createDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "../../../api/channels/default-channels.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { PickField } from "../../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../../shared/groups/picked.ts";
import { state } from "../../shared/state/state.ts";
import { TextField } from "../../ui/fields.tsx";
import { call } from "../calls.ts";
import { SettingsDialog } from "../controls/settings-dialog.tsx";

/** Without an id, a new group. */
export function EditDefaultChannelGroup(props: { id: number | undefined; onClose(): void }) {
  const known = props.id === undefined ? undefined : state.model.defaultChannels.groups.get(props.id);
  const before = { name: known?.name ?? "", description: known?.description ?? "" };
  const [name, setName] = createSignal(before.name);
  const [description, setDescription] = createSignal(before.description);
  const [channels, setChannels] = createSignal<readonly Picked[]>(
    [...(known?.channelIds ?? [])].map((id) => ({ kind: "channel", id })),
  );
  const chosenIds = () => channels().map(({ id }) => id);
  const update = createUpdate(props.id ?? 0, { ...before, ids: chosenIds() });
  const save = () => {
    const content = { name: name(), description: description(), ids: chosenIds() };
    if (known) return update(content);
    const parameters = { group_name: content.name, description: content.description };
    return call(createDefaultChannelGroup, { ...parameters, stream_names: namesOf(content.ids) });
  };
  return (
    <SettingsDialog
      title={known ? t("organization.edit", { name: before.name }) : t("channelGroups.add")}
      save={save}
      onClose={props.onClose}
    >
      <TextField
        label={t("channelGroups.name")}
        value={name()}
        maxLength={MAX_CHANNEL_NAME_LENGTH}
        required
        onInput={setName}
      />
      <TextField
        label={t("channelGroups.description")}
        value={description()}
        maxLength={MAX_CHANNEL_DESCRIPTION_LENGTH}
        onInput={setDescription}
      />
      <PickField
        label={t("channelGroups.channels")}
        hint={t("channelGroups.hint")}
        placeholder={t("defaultChannels.placeholder")}
        chosen={channels()}
        find={(text) => findPicked(text, { people: () => false, channelIds: candidates() })}
        onChange={setChannels}
      />
    </SettingsDialog>
  );
}

interface Content {
  name: string;
  description: string;
  ids: readonly number[];
}

/**
 * Saves what differs from `saved`, by a call for each part. After a failure, the next attempt leaves out what
 * the server has taken.
 */
function createUpdate(group_id: number, saved: Content) {
  const moveChannels = async (op: "add" | "remove", ids: readonly number[]) => {
    if (ids.length === 0) return;
    await call(updateDefaultChannelGroupChannels, { group_id, op, stream_names: namesOf(ids) });
  };
  return async ({ name, description, ids }: Content): Promise<void> => {
    const texts = {
      ...(name !== saved.name && { new_group_name: name }),
      ...(description !== saved.description && { new_description: description }),
    };
    if (Object.keys(texts).length > 0) await call(updateDefaultChannelGroup, { group_id, ...texts });
    saved = { ...saved, name, description };
    // Another administrator may have moved the same channels meanwhile.
    const there = state.model.defaultChannels.groups.get(group_id)?.channelIds ?? new Set();
    const added = ids.filter((id) => !saved.ids.includes(id));
    await moveChannels(
      "add",
      added.filter((id) => !there.has(id)),
    );
    const removed = saved.ids.filter((id) => !ids.includes(id));
    saved = { ...saved, ids: [...saved.ids, ...added] };
    await moveChannels(
      "remove",
      removed.filter((id) => there.has(id)),
    );
    saved = { ...saved, ids };
  };
}

const namesOf = (ids: readonly number[]) => ids.flatMap((id) => state.model.channels.get(id)?.name ?? []);

/** Channels that everybody may join, and that new people are not in anyway. */
function candidates(): number[] {
  const { channels, defaultChannels } = state.model;
  return [...channels.byId.values()]
    .filter(({ id, isPrivate, isArchived }) => !isPrivate && !isArchived && !defaultChannels.ids.has(id))
    .map(({ id }) => id);
}
