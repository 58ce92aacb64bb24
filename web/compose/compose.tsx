import { createEffect, createSignal, on, onMount, Show } from "solid-js";
import { countCharacters } from "../../client/count-characters.ts";
import type { Conversation } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { placeKey } from "../shared/compose/begun-text.ts";
import { chosen, composeTo, focusRequests } from "../shared/compose/compose-target.ts";
import { whenIdle } from "../shared/page/when-idle.ts";
import { enterSendsSignal } from "../shared/preferences/enter-sends.ts";
import { loadRenderer } from "../shared/text/local-render.ts";
import { addFiles } from "../shared/uploads/add-files.ts";
import { freeUploads } from "../shared/uploads/uploads.ts";
import { grow } from "../ui/grow.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { withPart } from "../ui/notice.ts";
import { createAutocomplete } from "./autocomplete.ts";
import { createComposeActions } from "./compose-actions.ts";
import { composeKeys } from "./compose-keys.ts";
import { createComposeText } from "./compose-text.ts";
import { ComposeTools } from "./compose-tools.tsx";
import { takeDroppedFiles } from "./drop-files.ts";
import { Forbidden } from "./forbidden.tsx";
import { applyFormat, type Format } from "./format.ts";
import { MessageField } from "./message-field.tsx";
import { NoticeLine } from "./notice-line.tsx";
import { Recipient } from "./recipient.tsx";
import { TypingLine } from "./typing-line.tsx";

const Notes = lazyPart(async () => (await import("./notes.tsx")).Notes);
const UploadList = lazyPart(async () => (await import("../shared/uploads/upload-list.tsx")).UploadList);
const Preview = lazyPart(async () => (await import("./preview.tsx")).Preview);

type Inserting = typeof import("./insert-menu.tsx");
const withInserting = (run: (part: Inserting) => void) =>
  void withPart(() => import("./insert-menu.tsx"), run);

/** The message box. In a conversation it writes there, unless another place was chosen. */
export function Compose(props: { place: Conversation | undefined }) {
  let field: HTMLTextAreaElement | undefined;
  const message = createComposeText(() => props.place);
  const [isPreview, setPreview] = createSignal(false);
  const [isExpanded, setExpanded] = createSignal(false);
  const enterSends = enterSendsSignal();
  const actions = createComposeActions(message, enterSends);
  const completions = createAutocomplete(() => field, message.target);
  const upload = (files: readonly File[]) => {
    const place = message.target();
    if (place) void addFiles(files, place, message.append);
  };
  const free = live("outbox", freeUploads);
  const ownUploads = () => {
    const place = message.target();
    return place ? free().filter(({ to }) => placeKey(to) === placeKey(place)) : [];
  };
  onMount(() => whenIdle(() => void loadRenderer()));
  createEffect(on(focusRequests, () => field?.focus(), { defer: true }));
  createEffect(() => {
    message.text();
    if (field) grow(field);
  });

  function send(): void {
    actions.clearNotice();
    if (!message.send()) return;
    setPreview(false);
    setExpanded(false);
    field?.focus();
  }

  function togglePreview(): void {
    setPreview(!isPreview());
    field?.focus();
  }

  /** As a part of the text, in the place of what is selected. */
  function insert(text: string): void {
    setPreview(false);
    field?.focus();
    const before = message.text();
    document.execCommand("insertText", false, text);
    // A browser may refuse while a dialog gives the focus back.
    if (message.text() === before) message.write(`${before}${text}`);
  }

  const format = (one: Format) => {
    setPreview(false);
    if (field) applyFormat(field, one);
  };

  createEffect(() => {
    if (actions.forbidden() !== undefined) return;
    takeDroppedFiles((files) => {
      if (!message.target()) composeTo("choosing");
      upload(files);
    });
  });
  const keys = composeKeys({
    isEmpty: () => message.text() === "",
    enterSends,
    send,
    leave: () => field?.blur(),
    openSnippets: () => withInserting((one) => one.openSnippets(message, insert)),
    togglePreview,
    goToPlace: actions.goToPlace,
  });
  return (
    <div class="compose">
      <TypingLine place={message.target()} />
      <Show
        when={message.target()}
        fallback={
          <button type="button" class="open-compose" onClick={() => composeTo("choosing")}>
            <Icon name="plus" /> {t("compose.choose")}
          </button>
        }
      >
        {(place) => (
          <Show when={actions.forbidden() === undefined} fallback={<Forbidden why={actions.forbidden()} />}>
            <form
              class="box"
              classList={{ expanded: isExpanded() }}
              onKeyDown={keys.ofBox}
              onSubmit={(event) => {
                event.preventDefault();
                send();
              }}
            >
              <Recipient
                place={place()}
                topic={message.topic()}
                onTopic={message.setTopic}
                isOther={chosen() !== undefined}
                isNewMessage={message.isNewMessage()}
              />
              <Show when={!isPreview()} fallback={<Preview text={message.text()} />}>
                <MessageField
                  place={place()}
                  text={message.text()}
                  completions={completions}
                  onField={(one) => {
                    field = one;
                  }}
                  onWrite={message.write}
                  onKeyDown={keys.ofField}
                  onFiles={upload}
                  onBlur={message.stopTyping}
                />
              </Show>
              <div class="above-box">
                <Notes
                  place={place()}
                  view={props.place}
                  text={message.text()}
                  other={message.other()?.content}
                  onOther={() => {
                    message.showOther();
                    field?.focus();
                  }}
                />
                <Show when={actions.notice()}>{(one) => <NoticeLine notice={one()} />}</Show>
                <Show when={ownUploads().length > 0}>
                  <UploadList uploads={ownUploads()} />
                </Show>
              </div>
              <ComposeTools
                onFormat={format}
                onFiles={upload}
                isPreview={isPreview()}
                onPreview={togglePreview}
                onInsert={(anchor) =>
                  withInserting((one) => one.openInsertMenu(anchor, { message, insert, format }))
                }
                onSendMenu={(anchor) => void actions.openSend(anchor)}
                isExpanded={isExpanded()}
                onExpand={() => {
                  setExpanded(!isExpanded());
                  field?.focus();
                }}
                problem={message.problem()}
                length={countCharacters(message.text())}
                enterSends={enterSends()}
              />
            </form>
          </Show>
        )}
      </Show>
    </div>
  );
}
