import { For, Show } from "solid-js";
import type { Message } from "../../../client/model/messages.ts";
import type { Poll, PollOption } from "../../../client/widgets/poll.ts";
import { language, t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { nameInGroup } from "../../shared/text/names.ts";
import { EntryField } from "./entry-field.tsx";
import { takePart } from "./widget-action.ts";
import { WidgetTitle } from "./widget-title.tsx";

/** A question with its answers. A press on an answer votes for it, or takes the vote back. */
export function PollBody(props: { message: Message; poll: Poll }) {
  const viewerId = () => state.model.viewer.id;
  const most = () => Math.max(1, ...props.poll.options.map(({ voterIds }) => voterIds.size));
  const addOption = (option: string) => {
    const idx = props.poll.nextIndex(viewerId());
    return takePart(props.message.id, { type: "new_option", idx, option });
  };
  return (
    <section class="widget" aria-label={t("poll.label")}>
      <WidgetTitle
        title={props.poll.question}
        missing={t("poll.noQuestion")}
        label={t("poll.question")}
        canEdit={props.message.senderId === viewerId()}
        onSave={(question) => takePart(props.message.id, { type: "question", question })}
      />
      <ul>
        <For each={props.poll.options.map(({ key }) => key)}>
          {(key) => (
            <Show when={props.poll.options.find((option) => option.key === key)}>
              {(option) => <Option messageId={props.message.id} option={option()} most={most()} />}
            </Show>
          )}
        </For>
      </ul>
      <EntryField
        label={t("poll.newOption")}
        isKnown={(text) => props.poll.has(text)}
        known={t("poll.isThere")}
        onAdd={addOption}
      />
    </section>
  );
}

function Option(props: { messageId: number; option: PollOption; most: number }) {
  const isOwn = () => props.option.voterIds.has(state.model.viewer.id);
  const count = () => props.option.voterIds.size;
  const voters = () => new Intl.ListFormat(language()).format([...props.option.voterIds].map(nameInGroup));
  const vote = () =>
    void takePart(props.messageId, { type: "vote", key: props.option.key, vote: isOwn() ? -1 : 1 });
  return (
    <li class="poll-option" style={{ "--part": count() / props.most }}>
      <button
        type="button"
        class="vote"
        aria-pressed={isOwn()}
        aria-label={t("poll.vote", { option: props.option.text, count: count() })}
        onClick={vote}
      >
        {count()}
      </button>
      <bdi>{props.option.text}</bdi>
      <Show when={count() > 0}>
        <span class="voters" title={voters()}>
          {voters()}
        </span>
      </Show>
    </li>
  );
}
