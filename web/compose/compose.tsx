import { createEffect, onMount, Show } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { composeTo } from "../shared/compose/compose-target.ts";
import { whenIdle } from "../shared/page/when-idle.ts";
import { enterSendsSignal } from "../shared/preferences/enter-sends.ts";
import { loadRenderer } from "../shared/text/local-render.ts";
import { addFiles } from "../shared/uploads/add-files.ts";
import { Icon } from "../ui/icon.tsx";
import { createAutocomplete } from "./autocomplete.ts";
import { createComposeActions } from "./compose-actions.ts";
import { createComposeBox } from "./compose-box.ts";
import { ComposeForm } from "./compose-form.tsx";
import { createComposeText } from "./compose-text.ts";
import { takeDroppedFiles } from "./drop-files.ts";

const Forbidden = lazyPart(async () => (await import("./forbidden.tsx")).Forbidden);
const Typists = lazyPart(async () => (await import("./typists.tsx")).Typists);

/** The message box. In a conversation it writes there, unless another place was chosen. */
export function Compose(props: { place: Conversation | undefined }) {
  const message = createComposeText(() => props.place);
  const box = createComposeBox(message);
  const actions = createComposeActions(message, enterSendsSignal());
  const completions = createAutocomplete(box.field, message.target);
  const upload = (files: readonly File[]) => {
    const place = message.target();
    if (place) void addFiles(files, place, message.append);
  };
  onMount(() => whenIdle(() => void loadRenderer()));
  createEffect(() => {
    if (actions.forbidden() !== undefined) return;
    takeDroppedFiles((files) => {
      if (!message.target()) composeTo("choosing");
      upload(files);
    });
  });
  return (
    <div class="compose">
      {/* Its line is always there, so nothing moves. */}
      <p class="typing">
        <Typists place={message.target()} />
      </p>
      <Show
        when={message.target()}
        fallback={
          <button type="button" class="open-compose" onClick={() => composeTo("choosing")}>
            <Icon name="plus" /> {t("compose.choose")}
          </button>
        }
      >
        {(place) => (
          <Show
            when={actions.forbidden() === undefined}
            fallback={
              <p class="forbidden">
                <Forbidden why={actions.forbidden()} />
              </p>
            }
          >
            <ComposeForm
              {...{ message, box, actions, completions }}
              place={place()}
              view={props.place}
              onFiles={upload}
            />
          </Show>
        )}
      </Show>
    </div>
  );
}
