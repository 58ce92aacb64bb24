import { createUniqueId, For, Show } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { compareTexts } from "../i18n/intl.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { language, t } from "../i18n/t.ts";
import { composeTo } from "../shared/compose/compose-target.ts";
import { maxTopicLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { holdKeys } from "../ui/type-ahead.ts";

const LatePeopleField = lazyPart(async () => (await import("./people-field.tsx")).PeopleField);

interface RecipientProps {
  place: Conversation;
  /** What was typed where the place leaves the topic open. */
  topic: string;
  onTopic(topic: string): void;
  /** The message goes elsewhere than the view. */
  isOther: boolean;
  /** The people of a direct message are still being chosen. */
  isNewMessage: boolean;
}

/** Where the message goes: two chips, or fields for what is still open. */
export function Recipient(props: RecipientProps) {
  return (
    <div class="recipient">
      <Show when={props.place.kind === "direct" && props.place}>
        {(place) => (
          <Show
            when={props.isNewMessage}
            fallback={
              <>
                <span class="to">{t("compose.to")}</span>
                <bdi class="chip">{peopleNames(place().userIds)}</bdi>
              </>
            }
          >
            <PeopleField userIds={place().userIds} />
          </Show>
        )}
      </Show>
      <Show when={props.place.kind === "channel" && props.place}>
        {(place) => (
          <>
            <Show when={place().channelId !== 0} fallback={<ChannelField />}>
              <bdi class="chip">#{channelName(place().channelId)}</bdi>
            </Show>
            <span aria-hidden="true">›</span>
            <Show
              when={place().topic !== undefined}
              fallback={
                <TopicField channelId={place().channelId} topic={props.topic} onTopic={props.onTopic} />
              }
            >
              <bdi class="chip">{topicName(place().topic ?? "")}</bdi>
            </Show>
          </>
        )}
      </Show>
      <Show when={props.isOther}>
        <button
          type="button"
          class="square"
          aria-label={t("compose.close")}
          onClick={() => composeTo(undefined)}
        >
          <Icon name="close" />
        </button>
      </Show>
    </div>
  );
}

function PeopleField(props: { userIds: readonly number[] }) {
  holdKeys(".recipient", () => composeTo(undefined));
  return <LatePeopleField userIds={props.userIds} />;
}

function ChannelField() {
  const channels = live(["channels", "subscriptions", "generation"], () =>
    [...state.model.channels.byId.values()]
      .filter(({ id, isArchived }) => state.model.subscriptions.isSubscribed(id) && !isArchived)
      .sort((a, b) => compareTexts(a.name, b.name, language())),
  );
  return (
    <select
      aria-label={t("compose.channel")}
      onChange={(event) =>
        composeTo({ kind: "channel", channelId: Number(event.currentTarget.value), topic: undefined })
      }
    >
      <option value="0">{t("compose.chooseChannel")}</option>
      <For each={channels()}>{({ id, name }) => <option value={id}>#{name}</option>}</For>
    </select>
  );
}

function TopicField(props: { channelId: number; topic: string; onTopic(topic: string): void }) {
  const listId = createUniqueId();
  const topics = () => {
    void state.topics.need(props.channelId);
    return state.topics.of(props.channelId);
  };
  return (
    <>
      <input
        aria-label={t("compose.topic")}
        placeholder={t("compose.topicPlaceholder")}
        list={listId}
        data-max={maxTopicLength(props.topic)}
        autocomplete="off"
        dir="auto"
        value={props.topic}
        onInput={(event) => props.onTopic(event.currentTarget.value)}
      />
      <datalist id={listId}>
        <Show when={props.channelId !== 0}>
          <For each={topics()}>{({ name }) => <option value={name} />}</For>
        </Show>
      </datalist>
    </>
  );
}
