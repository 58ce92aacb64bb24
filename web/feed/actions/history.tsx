import { createSignal, For, onMount, Show } from "solid-js";
import { getMessageHistory, type MessageSnapshot } from "../../../api/messages/edit-message.ts";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { channelName, nameOf, topicName } from "../../shared/text/names.ts";
import { shortTime } from "../../shared/text/times.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { RenderedContent } from "../../ui/rendered-content.tsx";

/** What a message was before its changes, the newest first, with what came and went. */
export function History(props: { messageId: number; onClose(): void }) {
  const [states, setStates] = createSignal<readonly MessageSnapshot[]>([]);
  const [problem, setProblem] = createSignal<string>();
  onMount(async () => {
    const parameters = { message_id: props.messageId, allow_empty_topic_name: true };
    try {
      const reply = await state.track(() => state.connection.call(getMessageHistory, parameters));
      setStates(reply.message_history.toReversed());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  });
  return (
    <Dialog label={t("message.history")} class="history" onClose={() => props.onClose()}>
      <h2>{t("message.history")}</h2>
      <Show when={problem()}>
        {(words) => (
          <p class="problem" role="alert">
            {words()}
          </p>
        )}
      </Show>
      <ol aria-busy={states().length === 0 && problem() === undefined}>
        <For each={states()}>{(one) => <State state={one} />}</For>
      </ol>
    </Dialog>
  );
}

function State(props: { state: MessageSnapshot }) {
  const { user_id, timestamp, content_html_diff, rendered_content } = props.state;
  return (
    <li>
      <p class="history-head">
        <bdi>{user_id === null ? t("feed.unknownUser") : nameOf(user_id)}</bdi>
        <time>{shortTime(timestamp * 1000)}</time>
      </p>
      <Show when={moveOf(props.state)}>{(words) => <p class="history-move">{words()}</p>}</Show>
      <RenderedContent html={content_html_diff ?? rendered_content} />
    </li>
  );
}

function moveOf({ topic, prev_topic, stream, prev_stream }: MessageSnapshot): string | undefined {
  if (prev_topic === undefined && prev_stream === undefined) return undefined;
  const place = (channelId: number | undefined, name: string) =>
    channelId === undefined ? topicName(name) : `#${channelName(channelId)} › ${topicName(name)}`;
  return t("history.moved", { from: place(prev_stream, prev_topic ?? topic), to: place(stream, topic) });
}
