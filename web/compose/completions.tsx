import { For, Show } from "solid-js";
import type { Completion } from "../../client/autocomplete/complete.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { emojiText } from "../shared/text/content.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";

interface CompletionsProps {
  found: readonly Completion[];
  at: number;
  onPoint(at: number): void;
  onChoose(chosen: Completion): void;
}

/** Above the field, so that nothing moves. */
export function Completions(props: CompletionsProps) {
  return (
    <Show when={props.found.length > 0}>
      <div id="completions" class="completions" role="listbox" aria-label={t("complete.label")}>
        <For each={props.found}>
          {(one, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
            <div
              id={`completion-${index()}`}
              role="option"
              aria-selected={index() === props.at}
              onPointerMove={() => props.onPoint(index())}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => props.onChoose(one)}
            >
              <span class="completion-sign" aria-hidden="true">
                <Sign one={one} />
              </span>
              <bdi>{one.label}</bdi>
              <bdi class="completion-detail">{one.detail}</bdi>
            </div>
          )}
        </For>
      </div>
    </Show>
  );
}

function Sign(props: { one: Completion }) {
  const { kind, userId, emoji } = props.one;
  if (userId !== undefined) return <Avatar user={state.model.users.get(userId)} />;
  if (emoji?.picture) return <img src={emoji.picture} alt="" width="20" height="20" />;
  if (emoji) return emojiText(emoji.code);
  if (kind === "channel" || kind === "topic") return <Icon name="hash" />;
  return <Icon name={kind === "language" || kind === "command" ? "code" : "people"} />;
}
