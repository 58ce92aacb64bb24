import { For } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import type { TopicPolicy } from "../../client/model/user-topics.ts";
import { language, t } from "../i18n/t.ts";
import { topicLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { channelName, topicName } from "../shared/text/names.ts";
import { setPolicy, type TopicPlace } from "../shared/topics/topic-actions.ts";
import { FilteredList } from "../ui/filtered-list.tsx";
import { live } from "../ui/live.ts";
import { createWanted } from "../ui/wanted.ts";
import { OwnChoice, OwnToggle } from "./own-setting.tsx";

const policies = ["followed", "unmuted", "muted", "none"] as const;

/** Topics that are followed or muted, and which are by themselves. */
export function Topics() {
  const keys = live(["userTopics", "channels", "generation"], () =>
    [...state.model.userTopics.all()]
      .filter(({ channelId }) => state.model.channels.get(channelId) !== undefined)
      .map(keyOf)
      .sort((a, b) => nameOf(a).localeCompare(nameOf(b), language())),
  );
  const automatic = () =>
    [
      [1, t("own.topics.auto.participate")],
      [2, t("own.topics.auto.send")],
      [3, t("own.topics.auto.start")],
      [4, t("own.topics.auto.never")],
    ] as const;
  return (
    <>
      <OwnChoice
        setting={userSettings.automaticallyFollowTopicsPolicy}
        label={t("own.topics.autoFollow")}
        choices={automatic()}
      />
      <OwnChoice
        setting={userSettings.automaticallyUnmuteTopicsInMutedStreamsPolicy}
        label={t("own.topics.autoUnmute")}
        choices={automatic()}
      />
      <OwnToggle
        setting={userSettings.automaticallyFollowTopicsWhereMentioned}
        label={t("own.topics.followMentions")}
      />
      <OwnChoice
        setting={userSettings.resolvedTopicNoticeAutoReadPolicy}
        label={t("own.topics.resolved")}
        choices={[
          ["always", t("own.topics.resolved.always")],
          ["except_followed", t("own.topics.resolved.exceptFollowed")],
          ["never", t("own.topics.resolved.never")],
        ]}
      />
      <h3>{t("own.topics.list")}</h3>
      <FilteredList
        label={t("own.topics.list")}
        items={keys()}
        empty={t("own.topics.empty")}
        textOf={nameOf}
        draw={(key) => <TopicRow place={placeOf(key)} />}
      />
    </>
  );
}

/** Texts are equal when the list is made again, so its rows stay. */
const keyOf = ({ channelId, topic }: TopicPlace) => `${channelId} ${topic}`;

function placeOf(key: string): TopicPlace {
  const space = key.indexOf(" ");
  return { channelId: Number(key.slice(0, space)), topic: key.slice(space + 1) };
}

function nameOf(key: string): string {
  const { channelId, topic } = placeOf(key);
  return `${channelName(channelId)} ${topicName(topic)}`;
}

function TopicRow(props: { place: TopicPlace }) {
  const { channelId, topic } = props.place;
  const policy = createWanted<TopicPolicy | "none">(
    live(["userTopics", "generation"], () => state.model.userTopics.policyOf(channelId, topic) ?? "none"),
  );
  const choose = (one: TopicPolicy | "none") => policy.change(one, () => setPolicy(props.place, one));
  return (
    <>
      <a class="grows" href={topicLink(channelId, topic)}>
        <bdi>#{channelName(channelId)}</bdi> › <bdi>{topicName(topic)}</bdi>
      </a>
      <select
        class="small-select"
        aria-label={t("own.topics.policyOf", { topic: topicName(topic) })}
        onChange={(event) => void choose(event.currentTarget.value as TopicPolicy | "none")}
      >
        <For each={policies}>
          {(one) => (
            <option value={one} selected={one === policy.value()}>
              {t(`own.topics.policy.${one}`)}
            </option>
          )}
        </For>
      </select>
    </>
  );
}
