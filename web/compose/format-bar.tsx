import { For } from "solid-js";
import { t } from "../i18n/t.ts";
import { maxUploadMib } from "../shared/state/server-limits.ts";
import { Icon } from "../ui/icon.tsx";
import { keyText } from "../ui/modifier.ts";
import type { Format } from "./format.ts";

export const formats = [
  { format: "bold", icon: "bold", key: "Mod+B" },
  { format: "italic", icon: "italic", key: "Mod+I" },
  { format: "link", icon: "link", key: "Mod+Shift+L" },
  { format: "code", icon: "code", key: "Mod+Shift+C" },
] as const;

interface BarProps {
  onFormat(format: Format): void;
  onFiles(files: readonly File[]): void;
  onInsert(anchor: Element): void;
  onEmoji(anchor: Element): void;
}

/** Formatting and files by buttons, for those who don't know the marks and the keys. */
export function FormatBar(props: BarProps) {
  let picker: HTMLInputElement | undefined;
  return (
    <div class="format-bar" role="toolbar" aria-label={t("format.title")}>
      <button
        type="button"
        class="square"
        aria-label={t("insert.title")}
        title={t("insert.title")}
        aria-haspopup="menu"
        onClick={(event) => props.onInsert(event.currentTarget)}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("insert.emoji")}
        title={t("insert.emoji")}
        aria-haspopup="dialog"
        onClick={(event) => props.onEmoji(event.currentTarget)}
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("upload.choose")}
        title={t("upload.chooseUpTo", { limit: maxUploadMib() })}
        onClick={() => picker?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={(element) => {
          picker = element;
        }}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <For each={formats}>
        {({ format, icon, key }) => (
          <button
            type="button"
            class="square wide-only"
            aria-label={t(`format.${format}`)}
            title={`${t(`format.${format}`)} (${keyText(key)})`}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => props.onFormat(format)}
          >
            <Icon name={icon} />
          </button>
        )}
      </For>
    </div>
  );
}
