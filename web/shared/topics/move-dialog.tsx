import { type Accessor, createSignal, createUniqueId, For, onMount, Show } from "solid-js";
import { editMessage } from "../../../api/messages/edit-message.ts";
import type { Message } from "../../../client/model/messages.ts";
import { canMoveChannel, canMoveTopic } from "../../../client/permissions.ts";
import { compareTexts } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { createForm, FormDialog } from "../../ui/form-dialog.tsx";
import { ChannelField } from "../channels/channel-field.tsx";
import { topicLink } from "../routing/links.ts";
import { go } from "../routing/route.ts";
import { problemOf } from "../state/problem-of.ts";
import { state } from "../state/state.ts";
import { newestIn, type TopicPlace } from "./topic-actions.ts";
import { TopicField } from "./topic-field.tsx";

interface MoveProps {
  place: TopicPlace;
  /** undefined: the whole topic moves. */
  message: Message | undefined;
  onClose(): void;
}

const modes = [
  { value: "change_one", label: "move.one" },
  { value: "change_later", label: "move.later" },
  { value: "change_all", label: "move.all" },
] as const;

/** Moves a message, the later ones too, or a whole topic. It stays open, with the reason, if that fails. */
export function MoveDialog(props: MoveProps) {
  const { place } = props;
  const [channelId, setChannelId] = createSignal(place.channelId);
  const [topic, setTopic] = createSignal(place.topic);
  const [mode, setMode] = createSignal<(typeof modes)[number]["value"]>(
    props.message ? "change_later" : "change_all",
  );
  const [tellsOld, setTellsOld] = createSignal(false);
  const [tellsNew, setTellsNew] = createSignal(true);
  const moved = props.message ?? {
    to: { kind: "channel" as const, ...place },
    sentAt: state.model.now() / 1000,
  };
  const form = createForm(move, () => props.onClose());

  async function move(): Promise<string | undefined> {
    const [toChannel, toTopic] = [channelId(), topic().trim()];
    if (toChannel === place.channelId && toTopic === place.topic) return undefined;
    const problem = await problemOf(() => send(toChannel, toTopic));
    if (problem === undefined) go(topicLink(toChannel, toTopic));
    return problem;
  }

  async function send(toChannel: number, toTopic: string): Promise<void> {
    const messageId = props.message?.id ?? (await newestIn(place));
    if (messageId === undefined) return;
    const parameters = {
      ...{ message_id: messageId, propagate_mode: mode() },
      ...(toTopic !== place.topic && { topic: toTopic }),
      ...(toChannel !== place.channelId && { stream_id: toChannel }),
      send_notification_to_old_thread: tellsOld(),
      send_notification_to_new_thread: tellsNew(),
    };
    await state.connection.call(editMessage, parameters);
  }

  const title = () => t(props.message ? "move.titleMessage" : "move.titleTopic");
  return (
    <FormDialog title={title()} action={t("move.action")} form={form}>
      <Destination {...{ place, moved, channelId, topic, setChannelId, setTopic }} />
      <Show when={props.message}>
        <fieldset>
          <legend>{t("move.which")}</legend>
          <For each={modes}>
            {({ value, label }) => (
              <label class="choice">
                <input type="radio" name="mode" checked={mode() === value} onChange={() => setMode(value)} />
                {t(label)}
              </label>
            )}
          </For>
        </fieldset>
      </Show>
      <Telling label={t("move.tellOld")} isOn={tellsOld()} onChange={setTellsOld} />
      <Telling label={t("move.tellNew")} isOn={tellsNew()} onChange={setTellsNew} />
    </FormDialog>
  );
}

interface DestinationProps {
  /** Where it is. */
  place: TopicPlace;
  moved: Parameters<typeof canMoveTopic>[1];
  channelId: Accessor<number>;
  topic: Accessor<string>;
  setChannelId(id: number): void;
  setTopic(topic: string): void;
}

/** The channel and the topic, as far as the viewer may choose them. */
function Destination({ place, moved, channelId, topic, setChannelId, setTopic }: DestinationProps) {
  const [channelField, topicField] = [createUniqueId(), createUniqueId()];
  const channels = [...state.model.channels.byId.values()]
    .filter(({ id, isArchived }) => id === place.channelId || (!isArchived && isSubscribed(id)))
    .sort((a, b) => compareTexts(a.name, b.name, language()))
    .map(({ id }) => id);
  let field: HTMLInputElement | undefined;
  onMount(() => field?.focus());
  return (
    <>
      <Show when={canMoveChannel(state.model, moved)}>
        <div class="labelled">
          <label for={channelField}>{t("compose.channel")}</label>
          <ChannelField
            id={channelField}
            channels={channels}
            channelId={channelId()}
            onChoose={(id) => {
              setChannelId(id);
              field?.focus();
            }}
          />
        </div>
      </Show>
      <div class="labelled">
        <label for={topicField}>{t("compose.topic")}</label>
        <TopicField
          id={topicField}
          channelId={channelId()}
          topic={topic()}
          onTopic={setTopic}
          isReadOnly={!canMoveTopic(state.model, moved)}
          ref={(element) => {
            field = element;
            element.autofocus = true;
          }}
        />
      </div>
    </>
  );
}

function Telling(props: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

function isSubscribed(channelId: number): boolean {
  return state.model.subscriptions.isSubscribed(channelId);
}
