import { fold } from "../../../client/autocomplete/fold.ts";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { t } from "../../i18n/t.ts";
import { live } from "../../ui/live.ts";
import { openOverlay } from "../../ui/overlay.ts";
import type { PickedPlace } from "../../ui/place-picker.tsx";
import { holdKeys } from "../../ui/type-ahead.ts";
import { topicLink } from "../routing/links.ts";
import { state } from "../state/state.ts";
import { channelName, topicName } from "../text/names.ts";

const PlacePicker = lazyPart(async () => (await import("../../ui/place-picker.tsx")).PlacePicker);

const MAX_SHOWN = 50;

/** All topics of a channel, with a field that filters them. */
export function openTopicList(channelId: number): void {
  openOverlay((close) => <TopicList channelId={channelId} onClose={close} />);
}

function TopicList(props: { channelId: number; onClose(): void }) {
  const { channelId } = props;
  holdKeys(".switcher", () => props.onClose());
  void state.topics.need(channelId);
  const topics = live([`topics:${channelId}`, "generation"], () => state.topics.of(channelId));
  const find = (text: string): PickedPlace[] => {
    const wanted = fold(text);
    return topics()
      .filter(({ name }) => fold(topicName(name)).includes(wanted))
      .slice(0, MAX_SHOWN)
      .map(({ name }) => ({ name: topicName(name), link: topicLink(channelId, name), icon: "hash" }));
  };
  return (
    <PlacePicker
      title={t("topics.title", { channel: channelName(channelId) })}
      label={t("topics.filter")}
      find={find}
      onClose={() => props.onClose()}
    />
  );
}
