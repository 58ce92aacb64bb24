/** Groups of channels that are chosen together for somebody new. */
import { For } from "solid-js";
import { removeDefaultChannelGroup } from "../../../api/channels/default-channels.ts";
import type { DefaultChannelGroup } from "../../../client/model/default-channels.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { channelName } from "../../shared/text/names.ts";
import { live } from "../../ui/live.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { call, isAdministrator } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { ItemList, ItemRow } from "../controls/item-list.tsx";
import { EditDefaultChannelGroup } from "./edit-default-channel-group.tsx";

const sources = ["defaultChannels", "channels", "generation"];

export function DefaultChannelGroups() {
  const may = isAdministrator();
  const ids = live(sources, () => [...state.model.defaultChannels.groups.keys()]);
  const edit = (id?: number) => openOverlay((close) => <EditDefaultChannelGroup id={id} onClose={close} />);
  return (
    <>
      <h3>{t("channelGroups.title")}</h3>
      <ItemList
        about={t("channelGroups.about")}
        title={t("channelGroups.title")}
        none={t("channelGroups.none")}
        addLabel={t("channelGroups.add")}
        add={() => edit()}
        mayChange={may()}
        items={ids()}
        row={(id) => {
          const group = live(sources, () => state.model.defaultChannels.groups.get(id));
          const name = () => group()?.name ?? "";
          return (
            <ItemRow
              name={name()}
              shown={<bdi>{name()}</bdi>}
              about={<AboutGroup group={group()} />}
              mayChange={may()}
              edit={() => edit(id)}
              remove={() => askToRemove(id, name())}
            />
          );
        }}
      />
    </>
  );
}

/** What it is for, and the channels of it that the viewer knows. */
function AboutGroup(props: { group: DefaultChannelGroup | undefined }) {
  const channels = () =>
    [...(props.group?.channelIds ?? [])]
      .filter((id) => state.model.channels.get(id) !== undefined)
      .map((id) => `#${channelName(id)}`);
  const parts = () => [props.group?.description ?? "", ...channels()].filter((part) => part !== "");
  return (
    <For each={parts()}>
      {(part, at) => (
        <>
          {at() > 0 && " · "}
          <bdi>{part}</bdi>
        </>
      )}
    </For>
  );
}

function askToRemove(id: number, name: string): void {
  ask({
    title: t("channelGroups.removeTitle", { name }),
    text: t("channelGroups.removeText"),
    action: t("organization.deleteAction"),
    run: () => call(removeDefaultChannelGroup, { group_id: id }),
  });
}
