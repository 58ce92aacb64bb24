import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import type { ChannelSection } from "../shared/channels/settings-link.ts";
import { channelLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { type Section, SettingsFrame } from "../ui/settings-frame.tsx";
import { General } from "./general.tsx";
import { Permissions } from "./permissions.tsx";
import { Personal } from "./personal.tsx";
import { Subscribers } from "./subscribers.tsx";

/** The settings of one channel. What the viewer may not change is shown in words. */
export function ChannelSettings(props: { channelId: number; section: string | undefined }) {
  const id = props.channelId;
  const channel = live(["channels", "generation"], () => state.model.channels.get(id));
  const isKnown = () => channel() !== undefined;
  const isSubscribed = live(["subscriptions", "generation"], () =>
    state.model.subscriptions.isSubscribed(id),
  );
  // The same objects as long as the channel is open, so that a section keeps what was typed.
  const all: readonly (Section & { id: ChannelSection })[] = [
    { id: "general", label: "channel.general", icon: "hash", draw: () => <General channelId={id} /> },
    { id: "personal", label: "channel.personal", icon: "bell", draw: () => <Personal channelId={id} /> },
    {
      ...{ id: "permissions", label: "channel.permissions", icon: "shield" },
      draw: () => <Permissions channelId={id} />,
    },
    {
      ...{ id: "subscribers", label: "channel.subscribers", icon: "people" },
      draw: () => <Subscribers channelId={id} />,
    },
  ];
  const parent = () => ({ title: t("channels.title"), link: "#channels/all" });
  return (
    <Show
      when={isKnown()}
      fallback={
        <SettingsFrame
          title={t("channel.unknown")}
          base="#channels"
          parent={parent()}
          current="missing"
          sections={[
            {
              id: "missing",
              label: "channel.missing",
              icon: "hash",
              draw: () => <p>{t("channel.missingText")}</p>,
            },
          ]}
        />
      }
    >
      <SettingsFrame
        title={channel()?.name ?? ""}
        base={`#channels/${id}/${encodeURIComponent(channel()?.name ?? "")}`}
        parent={parent()}
        sections={isSubscribed() ? all : all.filter((section) => section.id !== "personal")}
        current={props.section}
        actions={
          <a class="button" href={channelLink(id)}>
            {t("channel.open")}
          </a>
        }
      />
    </Show>
  );
}
