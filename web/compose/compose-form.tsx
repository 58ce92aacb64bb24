import { createSignal, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { countCharacters } from "../../client/count-characters.ts";
import type { Conversation } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { placeKey } from "../shared/compose/begun-text.ts";
import { chosen } from "../shared/compose/compose-target.ts";
import { freeUploads } from "../shared/uploads/uploads.ts";
import { live } from "../ui/live.ts";
import { withPart } from "../ui/notice.ts";
import { Problem } from "../ui/problem.tsx";
import type { createAutocomplete } from "./autocomplete.ts";
import type { createComposeActions } from "./compose-actions.ts";
import type { createComposeBox } from "./compose-box.ts";
import { composeKeys } from "./compose-keys.ts";
import type { createComposeText } from "./compose-text.ts";
import { ComposeTools } from "./compose-tools.tsx";
import { MessageField } from "./message-field.tsx";
import { NoticeLine } from "./notice-line.tsx";
import { Recipient } from "./recipient.tsx";

const Notes = lazyPart(async () => (await import("./notes.tsx")).Notes);
const Pictures = lazyPart(async () => (await import("./pictures.tsx")).Pictures);
const UploadList = lazyPart(async () => (await import("../shared/uploads/upload-list.tsx")).UploadList);

type PreviewPart = typeof import("./preview.tsx");
type Inserting = typeof import("./insert-menu.tsx");
const withInserting = (run: (part: Inserting) => void) =>
  void withPart(() => import("./insert-menu.tsx"), run);

interface FormProps {
  place: Conversation;
  /** The conversation on the screen, if it is one. */
  view: Conversation | undefined;
  message: ReturnType<typeof createComposeText>;
  box: ReturnType<typeof createComposeBox>;
  actions: ReturnType<typeof createComposeActions>;
  completions: ReturnType<typeof createAutocomplete>;
  onFiles(files: readonly File[]): void;
}

/** Where the message goes, its text, and what can be done with it. */
export function ComposeForm(props: FormProps) {
  const { message, box, actions } = props;

  function send(): void {
    actions.clearNotice();
    if (message.send()) box.reset();
    else if (message.problem()) showMissing();
  }

  let form: HTMLFormElement | undefined;

  /** The field of the place that is missing has the part that it came with. */
  function showMissing(): void {
    void withPart(
      () => import("./place-fields.tsx"),
      (part) => form && part.showMissing(form),
    );
  }

  const [preview, setPreview] = createSignal<PreviewPart>();

  /** The field stays until the preview can be drawn, and somebody who writes on meanwhile keeps it. */
  function togglePreview(): void {
    const asked = message.text();
    const draw = (part: PreviewPart) => {
      setPreview(part);
      if (message.text() === asked && !box.isPreview()) box.togglePreview();
    };
    if (box.isPreview()) box.togglePreview();
    else void withPart(() => import("./preview.tsx"), draw);
  }

  const keys = composeKeys({
    isEmpty: () => message.text() === "",
    enterSends: actions.enterSends,
    send,
    leave: box.leave,
    openSnippets: () => withInserting((inserting) => inserting.openSnippets(message, box.insert)),
    togglePreview,
    goToPlace: actions.goToPlace,
  });
  return (
    <form
      ref={form}
      class="box"
      classList={{ expanded: box.isExpanded() }}
      onKeyDown={keys.ofBox}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Recipient
        place={props.place}
        topic={message.topic()}
        onTopic={message.setTopic}
        isOther={chosen() !== undefined}
        isNewMessage={message.isNewMessage()}
      />
      <Problem text={message.problem()} />
      <Show
        when={box.isPreview() && preview()}
        fallback={
          <MessageField
            place={props.place}
            text={message.text()}
            completions={props.completions}
            onField={box.setField}
            onWrite={message.write}
            onKeyDown={keys.ofField}
            onFiles={props.onFiles}
            onBlur={message.stopTyping}
          />
        }
      >
        {(part) => <Dynamic component={part().Preview} text={message.text()} />}
      </Show>
      <Show when={/]\((\/user_up|\))/.test(message.text())}>
        <Pictures text={message.text()} onText={message.write} />
      </Show>
      <AboveBox {...props} />
      <ComposeTools
        onFormat={box.format}
        onFiles={props.onFiles}
        isPreview={box.isPreview()}
        onPreview={togglePreview}
        onInsert={(anchor) =>
          withInserting((inserting) => inserting.openInsertMenu(anchor, { ...box, message }))
        }
        onEmoji={(anchor) => withInserting((inserting) => inserting.openEmoji(anchor, box.insert))}
        onSendMenu={(anchor) => void actions.openSend(anchor)}
        isExpanded={box.isExpanded()}
        onExpand={box.toggleSize}
        length={countCharacters(message.text())}
        enterSends={actions.enterSends()}
        onEnterSends={actions.setEnterSends}
      />
    </form>
  );
}

/** What floats over the feed, so that nothing moves. */
function AboveBox(props: Pick<FormProps, "place" | "view" | "message" | "box" | "actions">) {
  const { message, box, actions } = props;
  const free = live("outbox", freeUploads);
  const uploads = () =>
    free().filter(({ to, picture }) => !picture && placeKey(to) === placeKey(props.place));
  return (
    <div class="above-box">
      <Notes
        place={props.place}
        view={props.view}
        text={message.text()}
        other={message.other()?.content}
        onOther={() => {
          message.showOther();
          box.focus();
        }}
      />
      <Show when={actions.notice()}>{(notice) => <NoticeLine notice={notice()} />}</Show>
      <Show when={uploads().length > 0}>
        <UploadList uploads={uploads()} />
      </Show>
    </div>
  );
}
