import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { maxMessageLength } from "../shared/state/server-limits.ts";
import { Icon } from "../ui/icon.tsx";
import { keyText } from "../ui/modifier.ts";
import type { Format } from "./format.ts";
import { FormatBar } from "./format-bar.tsx";

/** From this part of the limit on, the characters that are left are shown. */
const NEAR = 0.9;

interface ToolsProps {
  onFormat(format: Format): void;
  onFiles(files: readonly File[]): void;
  onInsert(anchor: Element): void;
  onEmoji(anchor: Element): void;
  onSendMenu(anchor: Element): void;
  isExpanded: boolean;
  onExpand(): void;
  isPreview: boolean;
  onPreview(): void;
  /** The length of the text, in characters. */
  length: number;
  enterSends: boolean;
  onEnterSends(enterSends: boolean): void;
}

/** Below the field: the preview, how much room is left, and the button that sends. */
export function ComposeTools(props: ToolsProps) {
  const left = () => maxMessageLength() - props.length;
  return (
    <div class="compose-tools">
      <button
        type="button"
        class="square"
        aria-label={t(props.isPreview ? "compose.write" : "compose.preview")}
        title={`${t(props.isPreview ? "compose.write" : "compose.preview")} (${keyText("Alt+P")})`}
        aria-pressed={props.isPreview}
        onClick={() => props.onPreview()}
      >
        <Icon name={props.isPreview ? "pencil" : "eye"} />
      </button>
      <Show when={!props.isPreview}>
        <FormatBar {...props} />
      </Show>
      <Show when={left() < 0}>
        <p class="problem" role="alert">
          {t("compose.tooLong", { count: -left() })}
        </p>
      </Show>
      <button
        type="button"
        class="square expand"
        aria-label={t(props.isExpanded ? "compose.shrink" : "compose.expand")}
        title={t(props.isExpanded ? "compose.shrink" : "compose.expand")}
        onClick={() => props.onExpand()}
      >
        <Icon name={props.isExpanded ? "shrink" : "enlarge"} />
      </button>
      <span class="hint">
        <Show
          when={left() >= 0 && props.length >= NEAR * maxMessageLength()}
          fallback={!props.enterSends && t("compose.ctrlEnterSends", { keys: keyText("Mod+Enter") })}
        >
          {t("compose.left", { count: left() })}
        </Show>
      </span>
      <button
        type="button"
        class="enter-choice"
        role="switch"
        aria-checked={props.enterSends}
        onClick={() => props.onEnterSends(!props.enterSends)}
      >
        {t("compose.enterSends")}
      </button>
      <span class="send-buttons">
        <button type="submit" class="button primary">
          {t("compose.send")}
        </button>
        <button
          type="button"
          class="button primary"
          aria-label={t("schedule.more")}
          title={t("schedule.more")}
          aria-haspopup="menu"
          onClick={(event) => props.onSendMenu(event.currentTarget)}
        >
          <Icon name="menuUp" />
        </button>
      </span>
    </div>
  );
}
