import { isResolvedTopic } from "../../../api/channels/topic-name.ts";
import { foldName } from "../../../api/fold-name.ts";
import { fold } from "../../../client/autocomplete/fold.ts";
import type { ChannelTopic } from "../../../client/channel-topics.ts";
import { t } from "../../i18n/t.ts";
import type { IconName } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { type PickedPlace, PlacePicker } from "../../ui/place-picker.tsx";
import { mayBeginTopicSignal } from "../channels/new-topic.ts";
import { focusCompose, openBox } from "../compose/compose-target.ts";
import { topicLink } from "../routing/links.ts";
import { state } from "../state/state.ts";
import { channelName, topicName } from "../text/names.ts";
import { listTime } from "../text/times.ts";
import { isFollowed, isTopicMuted } from "./topic-actions.ts";

const MAX_SHOWN = 50;

/** The topics of a channel with what is unread in them, how they are kept, and a new one at the end. */
export function TopicListDialog(props: { channelId: number; onClose(): void }) {
  const { channelId } = props;
  void state.topics.need(channelId);
  const sources = [`topics:${channelId}`, "unreads", "userTopics", "subscriptions", "generation"] as const;
  const topics = live([...sources], () => [...state.topics.of(channelId)]);
  const mayBegin = mayBeginTopicSignal(() => channelId);
  const find = (text: string): PickedPlace[] => {
    const wanted = fold(text.trim());
    const found = topics()
      .filter(({ name }) => fold(topicName(name)).includes(wanted))
      .slice(0, MAX_SHOWN)
      .map((topic) => placeOf(channelId, topic));
    const isThere = topics().some(({ name }) => foldName(name) === foldName(text.trim()));
    return mayBegin() && !isThere ? [...found, newTopic(channelId, text.trim())] : found;
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

function placeOf(channelId: number, { name, newestMessageId }: ChannelTopic): PickedPlace {
  const place = { channelId, topic: name };
  const count = state.model.unreads.inTopic(channelId, name).size;
  // Only of what is known here: the list asks for no messages.
  const newest = state.model.messages.byId.get(newestMessageId);
  const [icon, note] = stateOf(place);
  const details = [
    note,
    count > 0 ? t("sidebar.unread", { count }) : undefined,
    newest && listTime(newest.sentAt * 1000),
  ];
  return {
    ...{ name: topicName(name), link: topicLink(channelId, name), icon },
    detail: details.filter((one) => one !== undefined).join(" · "),
  };
}

/** The sign of a topic, and what it says in words. */
function stateOf(place: { channelId: number; topic: string }): [IconName, string | undefined] {
  if (isTopicMuted(place)) return ["bellOff", t("sidebar.muted")];
  if (isFollowed(place)) return ["followed", t("sidebar.followed")];
  return [isResolvedTopic(place.topic) ? "resolved" : "topic", undefined];
}

/** A text that names no topic yet is the name of the new one. */
function newTopic(channelId: number, topic: string): PickedPlace {
  const isNamed = topic !== "";
  return {
    ...{ icon: "plus", name: isNamed ? t("topics.begin", { topic }) : t("topic.new") },
    run() {
      openBox({ kind: "channel", channelId, topic: isNamed ? topic : undefined });
      if (isNamed) focusCompose();
    },
  };
}
