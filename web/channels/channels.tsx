import { createMemo, Show } from "solid-js";
import { creatablePrivacies } from "../../client/channel-access.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { type Section, SettingsFrame } from "../ui/settings-frame.tsx";
import { ChannelList } from "./channel-list.tsx";
import { ChannelSettings } from "./channel-settings.tsx";
import { Folders } from "./folders.tsx";
import { NewChannel } from "./new-channel.tsx";

const lists: readonly Section[] = [
  {
    ...{ id: "subscribed", label: "channels.subscribed", icon: "check" },
    draw: () => <ChannelList which="subscribed" />,
  },
  {
    ...{ id: "available", label: "channels.available", icon: "plus" },
    draw: () => <ChannelList which="available" />,
  },
  { id: "all", label: "channels.all", icon: "hash", draw: () => <ChannelList which="all" /> },
  {
    ...{ id: "archived", label: "channels.archived", icon: "archive" },
    draw: () => <ChannelList which="archived" />,
  },
  { id: "folders", label: "channels.folders", icon: "folder", draw: () => <Folders /> },
];

const creation: Section = {
  ...{ id: "new", label: "channels.new", icon: "pencil" },
  draw: () => <NewChannel />,
};

/** All channels, and the settings of each: `#channels/all`, `#channels/4/design/general`. */
export function Channels(props: { path: readonly string[] }) {
  const channelId = createMemo(() =>
    /^\d{1,15}$/.test(props.path[0] ?? "") ? Number(props.path[0]) : undefined,
  );
  const mayCreate = live(
    ["organization", "groups", "users", "generation"],
    () => creatablePrivacies(state.model).length > 0,
  );
  return (
    <Show
      when={channelId()}
      keyed
      fallback={
        <SettingsFrame
          title={t("channels.title")}
          base="#channels"
          sections={mayCreate() ? [...lists, creation] : lists}
          current={props.path[0]}
        />
      }
    >
      {(id) => <ChannelSettings channelId={id} section={props.path[2]} />}
    </Show>
  );
}
