import { createEffect, createMemo, createSignal, lazy, on, onCleanup, onMount, Show } from "solid-js";
import { userSettings } from "../../api/user-settings.ts";
import type { Conversation } from "../../client/narrow.ts";
import { chosen, composeTo, focusRequests, offered, offerText } from "../app/compose-target.ts";
import { draftOf, keepDraft } from "../app/drafts.ts";
import { loadRenderer } from "../app/local-render.ts";
import { placeName } from "../app/names.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { Recipient } from "./recipient.tsx";
import { TypingLine } from "./typing-line.tsx";
import { TypingNotices } from "./typing-notices.ts";

const Preview = lazy(async () => ({ default: (await import("./preview.tsx")).Preview }));

/** The message box. In a conversation it writes there, unless another place was chosen. */
export function Compose(props: { place: Conversation | undefined }) {
  let field: HTMLTextAreaElement | undefined;
  const target = createMemo<Conversation | undefined>(() => {
    const other = chosen();
    return other === "choosing"
      ? { kind: "channel", channelId: 0, topic: undefined }
      : (other ?? props.place);
  });
  const draftKey = () => {
    const place = target();
    return place?.kind === "direct"
      ? `direct ${place.userIds}`
      : `channel ${place?.channelId} ${place?.topic ?? ""}`;
  };
  const [text, setText] = createSignal("");
  const [topic, setTopic] = createSignal("");
  const [isPreview, setPreview] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const enterSends = live(["settings", "generation"], () =>
    state.model.settings.get(userSettings.enterSends),
  );
  const maxLength = () => Number(state.model.constants.max_message_length ?? 10_000);
  const notices = new TypingNotices();
  onCleanup(() => {
    notices.stop();
    composeTo(undefined);
  });
  onMount(() => void loadRenderer());
  createEffect(on(draftKey, (key) => setText(draftOf(key))));
  createEffect(on(focusRequests, () => field?.focus(), { defer: true }));
  createEffect(() => {
    const given = offered();
    if (given === undefined) return;
    write(given);
    offerText(undefined);
  });
  createEffect(() => {
    text();
    if (field) grow(field);
  });

  function write(value: string): void {
    setText(value);
    setProblem(undefined);
    keepDraft(draftKey(), value);
    const place = target();
    if (place) notices.note(place, value);
  }

  function send(): void {
    const place = target();
    const content = text().trim();
    if (!place || content === "" || content.length > maxLength()) return;
    const needsTopic = place.kind === "channel" && place.topic === undefined;
    if (needsTopic && topic().trim() === "") return void setProblem(t("compose.needTopic"));
    notices.stop();
    state.outbox.send(
      place.kind === "direct"
        ? place
        : { kind: "channel", channelId: place.channelId, topic: place.topic ?? topic().trim() },
      content,
    );
    write("");
    setPreview(false);
    field?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      field?.blur();
      composeTo(undefined);
    } else if (event.key === "Enter" && (event.ctrlKey || (enterSends() && !event.shiftKey))) {
      event.preventDefault();
      send();
    }
  }

  return (
    <div class="compose">
      <TypingLine place={target()} />
      <Show
        when={target()}
        fallback={
          <button type="button" class="open-compose" onClick={() => composeTo("choosing")}>
            <Icon name="plus" /> {t("compose.choose")}
          </button>
        }
      >
        {(place) => (
          <form
            class="box"
            onSubmit={(event) => {
              event.preventDefault();
              send();
            }}
          >
            <Recipient place={place()} topic={topic()} onTopic={setTopic} isOther={chosen() !== undefined} />
            <Show when={!isPreview()} fallback={<Preview text={text()} />}>
              <textarea
                ref={(one) => {
                  field = one;
                  queueMicrotask(() => grow(one));
                }}
                rows="1"
                dir="auto"
                aria-label={t("compose.label", { place: placeName(place()) })}
                placeholder={t("compose.placeholder", { place: placeName(place()) })}
                value={text()}
                onInput={(event) => write(event.currentTarget.value)}
                onKeyDown={onKeyDown}
                onBlur={() => notices.stop()}
              />
            </Show>
            <div class="compose-tools">
              <button
                type="button"
                class="square"
                aria-label={t(isPreview() ? "compose.write" : "compose.preview")}
                aria-pressed={isPreview()}
                onClick={() => setPreview(!isPreview())}
              >
                <Icon name={isPreview() ? "pencil" : "eye"} />
              </button>
              <Show when={problem()}>
                {(words) => (
                  <p class="problem" role="alert">
                    {words()}
                  </p>
                )}
              </Show>
              <Show when={text().length > maxLength()}>
                <p class="problem" role="alert">
                  {t("compose.tooLong", { count: text().length - maxLength() })}
                </p>
              </Show>
              <span class="hint">{t(enterSends() ? "compose.enterSends" : "compose.ctrlEnterSends")}</span>
              <button type="submit" class="button primary">
                {t("compose.send")}
              </button>
            </div>
          </form>
        )}
      </Show>
    </div>
  );
}

/** As high as its text; the style sheet has the limit. */
function grow(field: HTMLTextAreaElement): void {
  field.style.height = "0";
  field.style.height = `${field.scrollHeight}px`;
}
