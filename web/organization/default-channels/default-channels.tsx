/** The channels that people are in from the start. */
import { For, Show } from "solid-js";
import { addDefaultChannel, removeDefaultChannel } from "../../../api/channels/default-channels.ts";
import { t } from "../../i18n/t.ts";
import { PickField } from "../../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../../shared/groups/picked.ts";
import { channelLink } from "../../shared/routing/links.ts";
import { state } from "../../shared/state/state.ts";
import { channelName } from "../../shared/text/names.ts";
import { live } from "../../ui/live.ts";
import { createSaving } from "../../ui/saving.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { call, isAdministrator } from "../calls.ts";
import { SavedNote } from "../controls/saved-note.tsx";

export function DefaultChannels() {
  const may = isAdministrator();
  const saving = createSaving();
  const ids = live(["defaultChannels", "channels", "generation"], () =>
    [...state.model.defaultChannels.ids]
      .filter((id) => state.model.channels.get(id) !== undefined)
      .sort((a, b) => channelName(a).localeCompare(channelName(b))),
  );
  const wanted = createWanted<readonly Picked[]>(() => ids().map((id) => ({ kind: "channel", id })));
  const change = (chosen: readonly Picked[]) => {
    const before = ids();
    const after = chosen.map(({ id }) => id);
    const save = async () => {
      for (const id of after) if (!before.includes(id)) await call(addDefaultChannel, { stream_id: id });
      for (const id of before) if (!after.includes(id)) await call(removeDefaultChannel, { stream_id: id });
    };
    return wanted.change(chosen, () => saving.run(save));
  };
  return (
    <>
      <p class="about">{t("defaultChannels.about")}</p>
      <Show when={may()} fallback={<ChannelLinks ids={ids()} />}>
        <div class="setting">
          <PickField
            label={t("defaultChannels.title")}
            hint={t("defaultChannels.hint")}
            placeholder={t("defaultChannels.placeholder")}
            problem={saving.problem()}
            chosen={wanted.value()}
            find={(text) => findPicked(text, { people: () => false, channelIds: candidates() })}
            onChange={(chosen) => void change(chosen)}
          />
          <SavedNote saving={saving} />
        </div>
      </Show>
    </>
  );
}

/** Private channels can't be default channels. */
function candidates(): number[] {
  return [...state.model.channels.byId.values()]
    .filter(({ isPrivate, isArchived }) => !isPrivate && !isArchived)
    .map(({ id }) => id);
}

function ChannelLinks(props: { ids: readonly number[] }) {
  return (
    <Show when={props.ids.length > 0} fallback={<p class="nothing">{t("defaultChannels.none")}</p>}>
      <ul class="plain-list" aria-label={t("defaultChannels.title")}>
        <For each={props.ids}>
          {(id) => (
            <li class="list-row">
              <a href={channelLink(id)}>#{channelName(id)}</a>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
