import { Show, untrack } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { composeTo, isPlaceAsked } from "../shared/compose/compose-target.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";
import { Icon } from "../ui/icon.tsx";
import { holdKeys } from "../ui/type-ahead.ts";

const LatePeopleField = lazyPart(async () => (await import("./people-field.tsx")).PeopleField);
const LateChannelField = lazyPart(async () => (await import("./place-fields.tsx")).OwnChannelField);
const LateTopicField = lazyPart(async () => (await import("./place-fields.tsx")).MessageTopicField);

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
  /** Until the topic is settled, another channel can be chosen for a message that was begun for this one. */
  const isChannelOpen = ({ channelId, topic }: { channelId: number; topic: string | undefined }) =>
    channelId === 0 || (props.isOther && topic === undefined);
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
            <Show when={!isChannelOpen(place())} fallback={<ChannelField channelId={place().channelId} />}>
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

function ChannelField(props: { channelId: number }) {
  holdIfAsked();
  return <LateChannelField channelId={props.channelId} />;
}

function TopicField(props: { channelId: number; topic: string; onTopic(topic: string): void }) {
  holdIfAsked();
  return <LateTopicField {...props} />;
}

/** What is typed before the field is there is its text. */
function holdIfAsked(): void {
  if (untrack(isPlaceAsked)) holdKeys(".recipient", () => composeTo(undefined));
}
