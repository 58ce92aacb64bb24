import { createMemo, createSignal, For, Show } from "solid-js";
import type { ChannelSection } from "../../client/channel-sections.ts";
import { t } from "../i18n/t.ts";
import { listSections } from "../shared/channels/channel-order.ts";
import { countIn } from "../shared/channels/unread-in.ts";
import { state } from "../shared/state/state.ts";
import { channelName, topicName } from "../shared/text/names.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { isSameList } from "../ui/same-list.ts";
import { ChannelRow } from "./channel-row.tsx";
import { currentPlace } from "./current-place.ts";
import { fits, isFiltering } from "./filter.tsx";
import { Section } from "./section.tsx";

/**
 * The subscribed channels in sections: pinned ones, folders, and the others. At the start they are hidden
 * until the topics of the open channel are there, which would push the others down.
 */
export function Channels() {
  const sections = live(["channels", "subscriptions", "folders", "settings", "generation"], listSections);
  const topics = live("topics", () => state.topics);
  const isComplete = createMemo<boolean>((was) => {
    const open = currentPlace();
    return was || open?.kind !== "channel" || topics().wasAsked(open.channelId);
  }, false);
  /** Sections are drawn by their key, so that a change of one channel leaves the others alone. */
  const keys = createMemo(() => sections().map(({ key }) => key), undefined, {
    equals: isSameList,
  });
  const sectionOf = (key: string) => sections().find((section) => section.key === key);
  return (
    <div classList={{ pending: !isComplete() }}>
      <For each={keys()}>
        {(key) => (
          <Show when={sectionOf(key)}>
            {(section) => <ChannelsOfSection section={section()} isAlone={keys().length === 1} />}
          </Show>
        )}
      </For>
      <Show when={keys().length === 0}>
        <p class="none">{t("sidebar.noChannels")}</p>
      </Show>
      <a class="item more" classList={{ pending: !isComplete() }} href="#channels/all">
        <Icon name="plus" />
        {t("browse.title")}
      </a>
    </div>
  );
}

function ChannelsOfSection(props: { section: ChannelSection; isAlone: boolean }) {
  const [showsInactive, setShowsInactive] = createSignal(false);
  const unread = live(["unreads", "subscriptions", "userTopics", "generation"], () => {
    const { active, inactive, muted } = props.section;
    return countIn([...active, ...inactive, ...muted]);
  });
  const title = () => {
    if (props.section.key === "pinned") return t("sidebar.pinned");
    return props.section.folderName ?? t(props.isAlone ? "sidebar.channels" : "sidebar.otherChannels");
  };
  const shown = () => {
    const { active, inactive, muted } = props.section;
    if (isFiltering()) return [...active, ...inactive, ...muted].filter(hasFitting);
    return [...active, ...(showsInactive() ? inactive : inactive.filter(isOpen)), ...muted];
  };
  const hidden = () => props.section.inactive.filter((id) => !isOpen(id)).length;
  return (
    <Show when={!isFiltering() || shown().length > 0}>
      <Section
        id={props.section.key}
        title={title()}
        count={unread().count}
        isUrgent={unread().hasMention}
        collapsedTo={<ChannelRows ids={shown().filter(isOpen)} />}
      >
        <ChannelRows ids={shown()} />
        <Show when={!isFiltering() && hidden() > 0}>
          <button
            type="button"
            class="item more"
            aria-expanded={showsInactive()}
            onClick={() => setShowsInactive(!showsInactive())}
          >
            {showsInactive() ? t("sidebar.hideInactive") : t("sidebar.inactive", { count: hidden() })}
          </button>
        </Show>
      </Section>
    </Show>
  );
}

function ChannelRows(props: { ids: readonly number[] }) {
  return (
    <ul>
      <Keyed each={props.ids} by={(id) => id}>
        {(id) => <ChannelRow channelId={id()} />}
      </Keyed>
    </ul>
  );
}

function isOpen(channelId: number): boolean {
  const place = currentPlace();
  return place?.kind === "channel" && place.channelId === channelId;
}

/** By its own name, or by a topic's that is known. */
function hasFitting(channelId: number): boolean {
  return fits(channelName(channelId)) || state.topics.of(channelId).some(({ name }) => fits(topicName(name)));
}
